package org.reprise.anomaly.agent.detect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.detect.ArrayShadow.Range;

/**
 * A loop beside which nothing else runs. Its iterations are all concurrent with each other and with
 * nothing besides, so their accesses to arrays need no order test: each thread lists them, and the
 * lists are looked at when the loop is joined ({@link LoopEntries}). Whether any two entries
 * conflict is one question; only if the answer is yes are all pairs looked for.
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

  /** All iterations have ended. */
  synchronized void join(Checker by, List<Checker> all, Accesses accesses) {
    if (!broken) {
      List<DeferredRanges> logs = new ArrayList<>();
      int size = 0;
      for (Checker checker : all) {
        if (!checker.log.isEmpty()) {
          logs.add(checker.log);
          size += checker.log.size();
        }
      }
      if (size > LoopEntries.COUNT_MAX) {
        breakUp(by, all);
      } else if (!logs.isEmpty() && !by.owners.areApart(logs, loop.tag())) {
        LoopEntries entries = new LoopEntries(logs, size, by.writers);
        if (entries.conflict()) {
          entries.forEachArrayInConflict(ranges -> sweep(ranges, by, accesses));
        }
      }
    }
    all.forEach(checker -> checker.log.clear());
  }

  /** Finds ranges of one array that meet, of different iterations, one of them written. */
  private void sweep(List<Range> listed, Checker by, Accesses accesses) {
    List<Range> ranges = by.parts(listed);
    ranges.sort(Comparator.comparingInt(Range::from).thenComparingInt(Range::tag));
    List<Range> open = new ArrayList<>();
    for (Range range : ranges) {
      open.removeIf(other -> other.to() <= range.from());
      int alike = 0;
      Kind kind = accesses.get(range.access()).kind();
      for (Range other : open) {
        if (other.tag() != range.tag()) {
          if (kind.conflictsWith(accesses.get(other.access()).kind())) {
            report(other, range, by);
          }
          boolean reachesAsFar = other.stride() == 1 && other.to() >= range.to();
          alike += other.access() == range.access() && reachesAsFar ? 1 : 0;
        }
      }
      // Whatever meets this one meets one of two that do the same and reach as far.
      if (alike < 2) {
        open.add(range);
      }
    }
  }

  private void report(Range one, Range other, Checker by) {
    int index = one.meets(other);
    if (index < 0) {
      return;
    }
    Range source = one.tag() < other.tag() ? one : other;
    Range sink = source == one ? other : one;
    by.pretend(loop, sink.tag());
    by.found(source.tag(), source.access(), sink.access(), index);
    by.stopPretending();
  }
}
