package org.reprise.anomaly.agent.block;

import org.jspecify.annotations.Nullable;

/**
 * What somebody knows who waited for an event: everything the task that caused it knew then.
 * Several causes add up.
 */
public final class Release {
  public static final Release NONE = new Release(Known.NOTHING, Known.NOTHING, null, 0);

  final Known known;

  /** What the task had seen besides, on this schedule. */
  final Known seen;

  /** Where the task came from that caused it, or the first of several. */
  final @Nullable Fork by;

  /** That task; 0 for several of one loop. */
  final int task;

  Release(Known known, Known seen, @Nullable Fork by, int task) {
    this.known = known;
    this.seen = seen;
    this.by = by;
    this.task = task;
  }

  /** Whether the task that the thread executes caused it. */
  public boolean isBy(ThreadOrder threadOrder) {
    return task == threadOrder.task();
  }

  public Release and(Release other) {
    Known bothKnown = known.union(other.known);
    Known bothSeen = seen.union(other.seen);
    if (bothKnown == known && bothSeen == seen) {
      return this;
    }
    Release first = by == null ? other : this;
    boolean areSeveral = by == other.by && task != other.task;
    return new Release(bothKnown, bothSeen, first.by, areSeveral ? 0 : first.task);
  }

  /** Of every block with a tag up to this one, on this schedule. */
  static Release upTo(int tag) {
    return new Release(Known.NOTHING, Known.upTo(tag), null, 0);
  }
}
