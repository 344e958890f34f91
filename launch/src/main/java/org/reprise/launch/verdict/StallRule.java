package org.reprise.launch.verdict;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a replay counts as stuck: for a while no rank has got on, and every rank that lives waits or
 * polls in vain. A rank that computes may always be about to send what the others wait for.
 */
final class StallRule {
  /** What is to be thought of a replay. */
  enum Finding {
    GOING,
    STUCK,
    AT_REST
  }

  private final int ranks;
  private final Duration limit;
  private @Nullable List<RankMoment> baseline;
  private long baselineNanos;

  /**
   * A rule for one replay.
   *
   * @param ranks of the job; until all have shown up, the missing ones may be computing
   */
  StallRule(int ranks, Duration limit) {
    this.ranks = ranks;
    this.limit = limit;
  }

  /** Takes the next look at the ranks, which are given in the same order each time. */
  Finding look(long nanos, List<RankMoment> moments) {
    List<RankMoment> before = baseline;
    if (moments.size() < ranks || before == null || anyMoved(before, moments)) {
      baseline = moments.size() < ranks ? null : moments;
      baselineNanos = nanos;
      return Finding.GOING;
    }
    boolean anybodyThere = moments.stream().anyMatch(RankMoment::live);
    if (!anybodyThere || nanos - baselineNanos < limit.toNanos() || !allWait(before, moments)) {
      return Finding.GOING;
    }
    return moments.stream().allMatch(RankMoment::atEnd) ? Finding.AT_REST : Finding.STUCK;
  }

  /** The time begins anew: nobody looked for so long that nothing can be said of it. */
  void beginAnew() {
    baseline = null;
  }

  private static boolean anyMoved(List<RankMoment> before, List<RankMoment> now) {
    for (int i = 0; i < now.size(); i++) {
      if (now.get(i).hasMovedSince(before.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean allWait(List<RankMoment> before, List<RankMoment> now) {
    for (int i = 0; i < now.size(); i++) {
      if (now.get(i).live() && !now.get(i).waitsSince(before.get(i))) {
        return false;
      }
    }
    return true;
  }
}
