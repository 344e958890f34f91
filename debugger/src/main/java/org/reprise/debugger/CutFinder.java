package org.reprise.debugger;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.trace.UserError;

/** The cuts that a user's words stand for: of one event, of all ranks, and the nearest possible. */
final class CutFinder {
  private static final int SHOWN = 3;

  private final DebuggedRun run;
  private final EventGraph graph;
  private final EventTable events;

  CutFinder(DebuggedRun run) {
    this.run = run;
    graph = run.graph();
    events = graph.events();
  }

  /**
   * The causal distributed breakpoint before an event (Thoai and Volkert 2003, section 3): its rank
   * has not begun the call, and every other rank stops right after what had to happen before that.
   */
  Cut before(int rank, int number) {
    int first = run.calls(rank).firstOfCall(number);
    int[] moments = new int[events.ranks()];
    if (first > 0) {
      moments = graph.breakpoint(events.event(rank, first - 1)).moments();
    }
    moments[rank] = 2 * first;
    return new Cut(moments);
  }

  /**
   * The latest cut at which an event has not begun: every other rank goes on until it needs it, or
   * to MPI_Finalize, which no library lets a rank return from alone.
   */
  Cut latestBefore(int rank, int number) {
    int first = run.calls(rank).firstOfCall(number);
    int[] next = graph.future(events.event(rank, first));
    int[] moments = new int[next.length];
    for (int other = 0; other < next.length; other++) {
      int last = events.size(other) - 1;
      boolean finalizes = last >= 0 && run.call(events.event(other, last)).equals("MPI_Finalize");
      moments[other] =
          2 * (finalizes ? Math.min(next[other], run.calls(other).firstOfCall(last)) : next[other]);
    }
    moments[rank] = 2 * first;
    return new Cut(moments);
  }

  /** Where every rank has returned from all of its calls. */
  Cut end() {
    return new Cut(IntStream.range(0, events.ranks()).map(rank -> 2 * events.size(rank)).toArray());
  }

  /** The nearest consistent cut that holds all of another. */
  Cut around(Cut cut) {
    int[] moments = cut.moments();
    int[] begun = IntStream.range(0, moments.length).map(cut::begun).toArray();
    for (int rank = 0; rank < moments.length; rank++) {
      if (cut.returned(rank) > 0) {
        int[] past = graph.past(events.event(rank, cut.returned(rank) - 1));
        for (int other = 0; other < moments.length; other++) {
          begun[other] = Math.max(begun[other], past[other]);
        }
      }
    }
    int[] inside = IntStream.of(begun).map(count -> Math.max(0, 2 * count - 1)).toArray();
    int[] found = inside.clone();
    for (int rank = 0; rank < moments.length; rank++) {
      int[] returned = inside.clone();
      returned[rank] += begun[rank] > 0 ? 1 : 0;
      found[rank] =
          Math.max(
              moments[rank], graph.isConsistent(new Cut(returned)) ? returned[rank] : inside[rank]);
    }
    return new Cut(found);
  }

  /** Refuses a cut at which no run can be, with what shows it and what is nearest. */
  void require(Cut cut) {
    if (graph.isConsistent(cut)) {
      return;
    }
    List<Cuts.Crossing> crossings = Cuts.crossings(graph, cut);
    String found =
        crossings.stream().limit(SHOWN).map(this::words).collect(Collectors.joining("\n"));
    throw new UserError(
        "no run can be at this cut: " + text(cut),
        found.isEmpty() ? "the events contradict each other before it" : found,
        "goto "
            + text(Cuts.within(graph, cut))
            + " (before it), or goto "
            + text(around(cut))
            + " (after it)");
  }

  private String words(Cuts.Crossing crossing) {
    return "rank %d has returned from %s (event %d), and rank %d has not begun %s (event %d)"
        .formatted(
            events.rank(crossing.returned()),
            run.words(crossing.returned()),
            events.number(crossing.returned()),
            events.rank(crossing.awaited()),
            run.words(crossing.awaited()),
            events.number(crossing.awaited()));
  }

  /** As it is typed: {@code 5,7+,3}. */
  static String text(Cut cut) {
    return IntStream.of(cut.moments())
        .mapToObj(moment -> moment / 2 + (moment % 2 == 0 ? "" : "+"))
        .collect(Collectors.joining(","));
  }
}
