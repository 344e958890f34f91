package org.reprise.recovery;

import java.util.List;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;

/**
 * A distributed breakpoint: where each rank is to stop. Only consistent ones can be reached (Thoai
 * and Volkert 2003, section 3).
 */
public sealed interface Breakpoint {
  /** Where the ranks stop, or were meant to. */
  Cut cut();

  /** One that a run can be at. */
  record Consistent(Cut cut) implements Breakpoint {}

  /**
   * One that no run can be at.
   *
   * @param crossings which calls show it: who returned, though what it got was not sent
   * @param before the last consistent breakpoint that lies within it
   * @param after the first one that it lies within
   */
  record Inconsistent(Cut cut, List<Cuts.Crossing> crossings, Cut before, Cut after)
      implements Breakpoint {
    public Inconsistent {
      crossings = List.copyOf(crossings);
    }
  }

  /** Stops each rank where a cut says. */
  static Breakpoint at(EventGraph graph, Cut cut) {
    return graph.isConsistent(cut)
        ? new Consistent(cut)
        : new Inconsistent(
            cut, Cuts.crossings(graph, cut), Cuts.within(graph, cut), Cuts.around(graph, cut));
  }

  /**
   * The causal distributed breakpoint of an event (section 3): every other rank stops right after
   * what had to happen before it.
   */
  static Consistent causal(EventGraph graph, int event) {
    return new Consistent(graph.breakpoint(event));
  }

  /**
   * The latest breakpoint of an event: its rank stops when it has returned, every other rank goes
   * on as far as it can without what that rank does next.
   */
  static Consistent latest(EventGraph graph, int event) {
    EventTable events = graph.events();
    int own = events.rank(event);
    int[] moments = new int[events.ranks()];
    int number = event - events.first(own);
    boolean last = number + 1 == graph.size(own);
    int[] future = last ? new int[0] : graph.future(event + 1);
    for (int rank = 0; rank < moments.length; rank++) {
      int size = graph.size(rank);
      moments[rank] = last || future[rank] >= size ? 2 * size : 2 * future[rank] + 1;
    }
    moments[own] = 2 * (number + 1);
    return new Consistent(Cuts.within(graph, new Cut(moments)));
  }

  /** Where all ranks were at one moment of the run. */
  static Consistent instant(Timeline timeline, long nanos) {
    int[] moments = new int[timeline.ranks()];
    for (int rank = 0; rank < moments.length; rank++) {
      int position = timeline.before(rank, nanos);
      boolean inside =
          position < timeline.end(rank)
              && timeline.exit(timeline.events().event(rank, position)) > nanos
              && timeline.at(rank, position) <= nanos;
      int returned =
          inside || position == timeline.end(rank) || timeline.at(rank, position) > nanos
              ? position
              : timeline.callEnd(timeline.events().event(rank, position))
                  + 1
                  - timeline.events().first(rank);
      moments[rank] = 2 * returned + (inside ? 1 : 0);
    }
    return new Consistent(Cuts.within(timeline.graph(), new Cut(moments)));
  }
}
