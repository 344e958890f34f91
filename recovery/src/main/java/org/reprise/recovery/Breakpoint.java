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
   * The causal distributed breakpoint before an event: its rank has not begun the call, and every
   * other rank stops right after what had to happen before that.
   */
  static Consistent before(EventGraph graph, int event) {
    EventTable events = graph.events();
    int own = events.rank(event);
    int number = Cuts.callStart(events, own, events.number(event));
    int[] moments =
        number == 0
            ? new int[events.ranks()]
            : graph.breakpoint(events.event(own, number - 1)).moments();
    moments[own] = 2 * number;
    return new Consistent(new Cut(moments));
  }

  /**
   * The latest breakpoint of an event: its rank stops when it has returned, every other rank goes
   * on as far as it can without what that rank does next.
   */
  static Consistent latest(EventGraph graph, int event) {
    return held(graph, graph.events().rank(event), graph.events().number(event) + 1);
  }

  /** The latest breakpoint at which the call of an event has not begun. */
  static Consistent latestBefore(EventGraph graph, int event) {
    EventTable events = graph.events();
    int own = events.rank(event);
    return held(graph, own, Cuts.callStart(events, own, events.number(event)));
  }

  /** One rank is held when it has returned from so many events; the others go on. */
  private static Consistent held(EventGraph graph, int own, int number) {
    EventTable events = graph.events();
    int[] moments = new int[events.ranks()];
    boolean last = number == graph.size(own);
    int[] future = last ? new int[0] : graph.future(events.event(own, number));
    for (int rank = 0; rank < moments.length; rank++) {
      int size = graph.size(rank);
      moments[rank] = last || future[rank] >= size ? 2 * size : 2 * future[rank] + 1;
    }
    moments[own] = 2 * number;
    return new Consistent(Cuts.within(graph, new Cut(moments)));
  }

  /**
   * The first breakpoint at which a message is under way: its sender has begun to send it and is as
   * far as that lets it be, its receiver has not begun the call that takes it.
   */
  static Consistent underWay(EventGraph graph, int send, int receive) {
    EventTable events = graph.events();
    int to = events.rank(receive);
    int[] moments = before(graph, receive).cut().moments();
    int from = events.rank(send);
    moments[from] = Math.max(moments[from], 2 * events.number(send) + 1);
    Cut around = Cuts.around(graph, new Cut(moments));
    int[] settled = Cuts.returned(graph, around).moments();
    settled[to] = around.moments()[to];
    return new Consistent(new Cut(settled));
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
