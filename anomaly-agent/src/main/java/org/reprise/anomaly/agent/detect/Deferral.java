package org.reprise.anomaly.agent.detect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;

/**
 * A loop beside which nothing else runs. Its iterations are all concurrent with each other and with
 * nothing besides, so their accesses to arrays need no order test: each thread lists them, and the
 * lists are looked at when the loop is joined, or later ({@link JoinedLoop}).
 *
 * <p>As soon as somebody else accesses an array (a task forked by an iteration, one that waited for
 * another, an accumulation), the loop is no longer of that kind: what was listed is told to the
 * shadows as if it happened now, and from then on everything is.
 */
final class Deferral {
  final Fork loop;

  private volatile boolean broken;

  Deferral(Fork loop) {
    this.loop = loop;
  }

  boolean isBroken() {
    return broken;
  }

  /** Somebody accesses an array who is no iteration of the loop. */
  synchronized void breakUp(Checker by, List<Checker> all) {
    if (!broken) {
      broken = true;
      all.forEach(checker -> checker.log.replay(by, loop));
    }
  }

  /** All iterations have ended: what is left to be looked at, if there is anything. */
  synchronized @Nullable JoinedLoop join(Checker by, List<Checker> all) {
    long size = 0;
    for (Checker checker : all) {
      size += checker.log.size();
    }
    if (size > LoopEntries.COUNT_MAX) {
      breakUp(by, all);
    }
    if (broken) {
      all.forEach(checker -> checker.log.clear());
      return null;
    }
    List<DeferredRanges> logs = new ArrayList<>();
    for (Checker checker : all) {
      if (!checker.log.isEmpty()) {
        logs.add(checker.takeLog());
      }
    }
    return logs.isEmpty() ? null : new JoinedLoop(loop, logs);
  }
}
