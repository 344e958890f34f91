package org.reprise.anomaly.agent.jdk;

import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * Threads that arrive at tasks which others complete: what they did up to then is before what
 * happens once the task is done.
 */
final class Arrivals {
  private final IdentityTable<Object, Release> releases = new IdentityTable<>();

  /** The thread arrives at a task. Two may arrive at once, and neither may be lost. */
  void arrive(ThreadOrder threadOrder, @Nullable Object task) {
    if (task != null) {
      Release release = threadOrder.release();
      synchronized (this) {
        releases.put(task, releases.get(task, any -> Release.NONE).and(release));
      }
    }
  }

  /** What arrived at a task is before what the thread does now. */
  void acquire(ThreadOrder threadOrder, Object task) {
    Release release = releases.get(task);
    if (release != null) {
      threadOrder.acquire(release);
    }
  }
}
