package org.reprise.anomaly.agent.block;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The forks that are not joined yet. While there are none the program is serial. */
public final class OpenForks {
  /** Looking through more than this after each wait would cost more than it may save. */
  private static final int SEARCHED_MAX = 256;

  /** So many are kept; beyond that, those that have ended are believed to be waited for. */
  private static final int KEPT_MAX = 1 << 16;

  private final AtomicInteger open = new AtomicInteger();
  private final Set<Fork> forks = ConcurrentHashMap.newKeySet();

  void opened(Fork fork) {
    int count = open.incrementAndGet();
    if (!fork.isLoop()) {
      forks.add(fork);
      if (count % KEPT_MAX == 0) {
        forks.removeIf(kept -> kept.last() != 0);
      }
    }
  }

  /** The tasks and threads that are not joined. */
  List<Fork> tasks() {
    return List.copyOf(forks);
  }

  void closed(Fork fork) {
    if (!fork.close()) {
      return;
    }
    open.decrementAndGet();
    if (!fork.isLoop()) {
      forks.remove(fork);
    }
  }

  /**
   * Closes forks that nobody joined, but whose tasks have ended and are known to the first thread
   * all the same: it waited for something that came after them.
   */
  boolean closeKnown(ThreadOrder first) {
    if (open.get() > SEARCHED_MAX) {
      return false;
    }
    boolean closed = false;
    for (Fork fork : forks) {
      if (fork.last() != 0 && first.isAfter(fork.last())) {
        closed(fork);
        closed = true;
      }
    }
    return closed;
  }

  boolean none() {
    return open.get() == 0;
  }
}
