package org.reprise.anomaly.agent.detect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.detect.ArrayShadow.Range;
import org.reprise.anomaly.agent.detect.history.Accesses;
import org.reprise.anomaly.agent.detect.history.Kind;

/**
 * What the iterations of a loop did that is over, beside which nothing else ran. Whether any two of
 * the entries conflict is one question ({@link LoopEntries}); only if the answer is yes are all
 * pairs looked for.
 *
 * <p>Nobody waits for the answer: who joined the loop may go on, and look when others are busy with
 * the next one. Between two loops they would go to sleep in the meantime, and to wake them takes
 * longer.
 */
final class JoinedLoop {
  private final Fork loop;
  private final List<DeferredRanges> logs;

  /** Pairs of accesses that were reported: of each, another two iterations add nothing. */
  private final Set<Long> reported = new HashSet<>();

  JoinedLoop(Fork loop, List<DeferredRanges> logs) {
    this.loop = loop;
    this.logs = logs;
  }

  /**
   * Whether it must be looked at before the next loop begins, which uses the same stamps. Hot path:
   * between two loops.
   */
  boolean isUrgent() {
    for (DeferredRanges log : logs) {
      if (log.hasElements()) {
        return true;
      }
    }
    return false;
  }

  /** Looks for conflicts, and gives back the lists. */
  void check(Checker by, Accesses accesses) {
    try {
      if (!by.owners.areApart(logs, loop.tag())) {
        LoopEntries entries = new LoopEntries(logs, by.writers);
        if (entries.conflict()) {
          entries.forEachArrayInConflict(ranges -> sweep(ranges, by, accesses));
        }
      }
    } finally {
      logs.forEach(DeferredRanges::clear);
    }
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
    long low = Math.min(one.access(), other.access());
    long pair = low << 32 | Math.max(one.access(), other.access());
    int index = reported.contains(pair) ? -1 : one.meets(other);
    if (index < 0) {
      return;
    }
    reported.add(pair);
    Range source = one.tag() < other.tag() ? one : other;
    Range sink = source == one ? other : one;
    by.pretend(loop, sink.tag());
    try {
      by.found(source.tag(), source.access(), sink.access(), index);
    } finally {
      by.stopPretending();
    }
  }
}
