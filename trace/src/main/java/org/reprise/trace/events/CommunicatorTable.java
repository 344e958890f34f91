package org.reprise.trace.events;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The communicators of a run, as all of its ranks know them: each has one number here. */
public final class CommunicatorTable {
  private final List<Communicator> communicators = new ArrayList<>();
  private final Map<Long, Integer> numbers = new HashMap<>();

  /** The number of a communicator. Those that are one by identity differ in their members. */
  public int number(Communicator communicator) {
    long members = communicator.group().hashCode() + (long) communicator.remote().hashCode();
    long key = communicator.id() * 31 + members;
    int number = numbers.computeIfAbsent(key, _ -> communicators.size());
    if (number == communicators.size()) {
      communicators.add(communicator);
    } else if (communicator.overtaking()) {
      // One rank may have said so, or have said so late: nobody's order can be relied on.
      communicators.set(number, communicator);
    }
    return number;
  }

  public Communicator get(int number) {
    return communicators.get(number);
  }

  public List<Communicator> all() {
    return List.copyOf(communicators);
  }
}
