package org.reprise.anomaly.agent.block;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Waits that may never end, since whoever is waited for needs a thread, and all of them wait: one
 * iteration of a loop for another, which may come later in the same thread; or tasks of a pool for
 * tasks that come later in the same pool.
 */
public final class Starvation {
  private Starvation() {}

  /** What prevents validation, in words, where the thread waited for what another did. */
  static Optional<String> of(ThreadOrder waiting, Release release) {
    Fork own = waiting.fork();
    Fork other = release.by;
    if (own == null || other == null) {
      return Optional.empty();
    }
    boolean isSameLoop = other == own && own.isLoop() && release.task != waiting.task();
    return isSameLoop
        ? Optional.of("a wait of one iteration for another, which may come later in its thread")
        : of(waiting, other);
  }

  /** As above, where it waited for the end of a task. */
  static Optional<String> of(ThreadOrder waiting, Fork other) {
    Fork own = waiting.fork();
    Pool pool = own == null ? null : own.pool();
    boolean isLater = own != null && other.tag > own.tag && other.pool() == pool;
    return pool != null && isLater && pool.isFullOfWaits(waiting)
        ? Optional.of(
            "tasks that wait for later ones of their own pool, all of whose threads may wait")
        : Optional.empty();
  }

  /** A pool whose number of threads is limited. */
  public static final class Pool {
    private final int threads;
    private final List<Integer> waiting = new ArrayList<>();

    public Pool(int threads) {
      this.threads = threads;
    }

    /** A task waits for another one; whether as many may do so at once as there are threads. */
    private synchronized boolean isFullOfWaits(ThreadOrder task) {
      waiting.removeIf(other -> other == task.task() || task.isAfter(other));
      if (waiting.size() < threads) {
        waiting.add(task.task());
      }
      return waiting.size() == threads;
    }
  }
}
