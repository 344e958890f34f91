package org.reprise.anomaly.agent.jdk;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/** Forks that are joined together, when the pool or the scope that they belong to has ended. */
final class ForkGroups {
  private final IdentityTable<Object, List<Fork>> groups = new IdentityTable<>();

  /** The group that threads started now belong to, per thread that starts them. */
  private final ThreadLocal<@Nullable List<Fork>> open = new ThreadLocal<>();

  /** A task was handed to a pool. */
  void add(Object pool, Fork fork) {
    List<Fork> all = groups.get(pool, any -> new ArrayList<>());
    synchronized (all) {
      if (Integer.bitCount(all.size()) == 1) {
        all.removeIf(Fork::isJoined);
      }
      all.add(fork);
    }
  }

  /** What this thread starts from now on belongs to the owner. */
  void open(Object owner) {
    open.set(groups.get(owner, any -> new ArrayList<>()));
  }

  void close() {
    open.remove();
  }

  /** This thread has started another. */
  void started(Fork fork) {
    List<Fork> started = open.get();
    if (started != null) {
      synchronized (started) {
        started.add(fork);
      }
    }
  }

  /**
   * All of the group have ended, unless the call that waited for them gave up.
   *
   * @param result what that call returned or threw
   */
  void join(ThreadOrder threadOrder, Object owner, @Nullable Object result) {
    List<Fork> started = groups.get(owner);
    if (started == null || Boolean.FALSE.equals(result) || result instanceof Throwable) {
      return;
    }
    List<Fork> all;
    synchronized (started) {
      all = List.copyOf(started);
      started.clear();
    }
    all.forEach(threadOrder::join);
  }
}
