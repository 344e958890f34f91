package org.reprise.anomaly.agent.block;

import java.util.concurrent.atomic.AtomicInteger;

/** How many forks are not joined yet. While there are none the program is serial. */
public final class OpenForks {
  private final AtomicInteger open = new AtomicInteger();

  void opened() {
    open.incrementAndGet();
  }

  void closed() {
    open.decrementAndGet();
  }

  boolean none() {
    return open.get() == 0;
  }
}
