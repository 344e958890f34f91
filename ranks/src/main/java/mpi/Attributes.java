package mpi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.reprise.ranks.fabric.Communicator;

/** What one rank's program has attached to its communicators; its threads may do that at once. */
final class Attributes {
  /** Keys that a program cannot get: those it makes count upwards. */
  static final int NAME = -11;

  static final int ERRHANDLER = -12;
  static final int INFO = -13;

  private static final int FIRST_KEY = 100;

  private final Map<Long, Map<Integer, Object>> byComm = new ConcurrentHashMap<>();
  private final AtomicInteger keys = new AtomicInteger();

  int newKey() {
    return FIRST_KEY + keys.getAndIncrement();
  }

  Map<Integer, Object> of(String call, Communicator comm) {
    Misuse.unless(comm != null, call, "the calling rank is not in this communicator", "");
    return byComm.computeIfAbsent(comm.id(), _ -> new ConcurrentHashMap<>());
  }

  /** A duplicate begins with what the original has, except for its name. */
  void copy(Communicator from, Communicator to) {
    Map<Integer, Object> known = byComm.get(from.id());
    if (known != null) {
      Map<Integer, Object> copy = new ConcurrentHashMap<>(known);
      copy.remove(NAME);
      byComm.put(to.id(), copy);
    }
  }
}
