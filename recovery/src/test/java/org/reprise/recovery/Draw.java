package org.reprise.recovery;

import java.util.Random;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventGraph;

/** Breakpoints and periods that are drawn from a seed, and how many executions are. */
final class Draw {
  static final long SEED = Long.getLong("reprise.seed", 20_261_118L);

  private Draw() {}

  /** So many executions, or more if -Dreprise.seeds asks for thousands. */
  static int executions(int sample) {
    return Math.max(sample, 1000 * Integer.getInteger("reprise.seeds", 0));
  }

  static String seed(long seed) {
    return "-Dreprise.seed=" + SEED + ", execution " + seed;
  }

  static Period period(Timeline timeline, Random random) {
    return random.nextInt(4) == 0
        ? new Period.OfEvents(1 + random.nextInt(8))
        : new Period.OfTime(10 + random.nextLong(Math.max(1, timeline.durationNanos() / 3)));
  }

  /** A consistent breakpoint: one of the many ways to come to one. */
  static Cut breakpoint(Timeline timeline, Random random) {
    EventGraph graph = timeline.graph();
    int ranks = timeline.ranks();
    int event = random.nextInt(timeline.events().size());
    return switch (random.nextInt(6)) {
      case 0 -> Breakpoint.causal(graph, event).cut();
      case 1 -> Breakpoint.latest(graph, event).cut();
      case 2 ->
          Breakpoint.instant(
                  timeline, timeline.startNanos() + random.nextLong(timeline.durationNanos() + 1))
              .cut();
      case 3 -> {
        int[] moments = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
          int size = timeline.end(rank);
          moments[rank] = random.nextInt(3) == 0 ? 0 : random.nextInt(2 * size + 1);
        }
        yield Cuts.around(graph, new Cut(moments));
      }
      default -> {
        // One rank at a random place, and the others as far as they get without some calls of it.
        int[] moments = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
          moments[rank] = 2 * timeline.end(rank);
        }
        for (int held = random.nextInt(ranks) + 1; held > 0; held--) {
          int rank = random.nextInt(ranks);
          moments[rank] = random.nextInt(2 * timeline.end(rank) + 1);
        }
        yield Cuts.within(graph, new Cut(moments));
      }
    };
  }
}
