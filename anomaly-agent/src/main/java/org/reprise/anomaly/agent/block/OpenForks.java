package org.reprise.anomaly.agent.block;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The forks that are not joined yet. While there are none the program is serial. */
public final class OpenForks {
  /** Looking through more than this after each wait would cost more than it may save. */
  private static final int SEARCHED_MAX = 256;

  private final AtomicInteger open = new AtomicInteger();
  private final Set<Fork> forks = ConcurrentHashMap.newKeySet();

  void opened(Fork fork) {
    open.incrementAndGet();
    if (!fork.isLoop() && forks.size() < SEARCHED_MAX) {
      forks.add(fork);
    }
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
   * Closes forks that nobody joined, but whose tasks have ended and are known to the first strand
   * all the same: it waited for something that came after them.
   */
  boolean closeKnown(Strand first) {
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
