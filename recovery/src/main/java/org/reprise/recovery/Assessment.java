package org.reprise.recovery;

import java.util.ArrayList;
import java.util.List;
import org.reprise.causality.Cut;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;

/**
 * How long it takes to reach breakpoints by a plan: of three kinds, spread evenly over a run. There
 * are far too many consistent cuts to try all; the bound of the plan holds for all of them.
 *
 * @param causal causal distributed breakpoints of events: every other rank stops as early as it can
 * @param latest latest breakpoints of events: every other rank goes as far as it can
 * @param instant where all ranks were at one moment of the run
 */
public record Assessment(Times causal, Times latest, Times instant) {
  /**
   * Replay times of some breakpoints.
   *
   * @param breakpoints how many
   * @param steps marks that a rank went back behind its last one, at most
   */
  public record Times(int breakpoints, double meanNanos, long worstNanos, int steps) {
    static Times of(Plan plan, List<Cut> breakpoints, long latencyNanos) {
      double sum = 0;
      long worst = 0;
      int steps = 0;
      for (Cut breakpoint : breakpoints) {
        RecoveryLine line = RecoveryLine.greatest(plan, breakpoint);
        long nanos = Replay.of(line, latencyNanos).nanos();
        sum += nanos;
        worst = Math.max(worst, nanos);
        for (int rank = 0; rank < plan.marks().timeline().ranks(); rank++) {
          steps = Math.max(steps, line.steps(rank));
        }
      }
      int count = breakpoints.size();
      return new Times(count, count == 0 ? 0 : sum / count, worst, steps);
    }
  }

  /** Breakpoints of a run, the same for all plans that are compared. */
  public record Sample(List<Cut> causal, List<Cut> latest, List<Cut> instant) {
    /** About how many events are tried for breakpoints of one kind. */
    private static final long EVENTS_MAX = 10_000_000;

    private static final long FEWEST = 10;

    public Sample {
      causal = List.copyOf(causal);
      latest = List.copyOf(latest);
      instant = List.copyOf(instant);
    }

    /**
     * So many of each kind at most; fewer where there is much between two marks, as all of it is
     * tried for each.
     */
    public static Sample of(Timeline timeline, Period period, int each) {
      EventGraph graph = timeline.graph();
      EventTable events = timeline.events();
      List<Cut> causal = new ArrayList<>();
      List<Cut> latest = new ArrayList<>();
      List<Cut> instant = new ArrayList<>();
      long perInterval = events.size() / Math.max(1, period.count(timeline)) + 1;
      long affordable = Math.clamp(EVENTS_MAX / perInterval, FEWEST, each);
      int count = (int) Math.min(affordable, events.size());
      for (int i = 0; i < count; i++) {
        int event = (int) ((2L * i + 1) * events.size() / (2L * count));
        if (graph.contains(event)) {
          causal.add(Breakpoint.causal(graph, event).cut());
          latest.add(Breakpoint.latest(graph, event).cut());
        }
        long nanos = timeline.startNanos() + timeline.durationNanos() / (2L * count) * (2L * i + 1);
        instant.add(Breakpoint.instant(timeline, nanos).cut());
      }
      return new Sample(causal, latest, instant);
    }
  }

  /** What a plan comes to on these breakpoints. */
  public static Assessment of(Plan plan, Sample sample, long latencyNanos) {
    return new Assessment(
        Times.of(plan, sample.causal, latencyNanos),
        Times.of(plan, sample.latest, latencyNanos),
        Times.of(plan, sample.instant, latencyNanos));
  }

  /** The worst of all. */
  public long worstNanos() {
    return Math.max(causal.worstNanos, Math.max(latest.worstNanos, instant.worstNanos));
  }

  /** The mean of all. */
  public double meanNanos() {
    int count = breakpoints();
    double sum =
        causal.meanNanos * causal.breakpoints
            + latest.meanNanos * latest.breakpoints
            + instant.meanNanos * instant.breakpoints;
    return count == 0 ? 0 : sum / count;
  }

  /** How many breakpoints were tried. */
  public int breakpoints() {
    return causal.breakpoints + latest.breakpoints + instant.breakpoints;
  }

  /** Marks that a rank went back behind its last one, at most. */
  public int steps() {
    return Math.max(causal.steps, Math.max(latest.steps, instant.steps));
  }
}
