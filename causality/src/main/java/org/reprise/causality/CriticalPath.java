package org.reprise.causality;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.reprise.causality.columns.IntList;
import org.reprise.trace.events.EventKind;

/**
 * The chain of calls that determined how long a run took: from the call that ended last backwards,
 * through each rank's own calls, and over to another rank where a call had to wait for it. In
 * MPI_Finalize ranks wait for each other, in libraries as they are, though no order follows from
 * that: where it is every rank's last call, the path goes over to the rank that came to it last.
 */
public final class CriticalPath {
  /**
   * A call on the path.
   *
   * @param event the call
   * @param handedOver whether the next call, of another rank, had to wait for it
   */
  public record Link(int event, boolean handedOver) {}

  private CriticalPath() {}

  /**
   * The path, in the order of time. Times of ranks are compared as recorded; {@code originNanos}
   * says when the recording of each rank began, by one clock.
   */
  public static List<Link> of(EventGraph graph, long[] originNanos) {
    EventTable events = graph.events();
    int at = EventTable.NONE;
    long latest = Long.MIN_VALUE;
    for (int rank = 0; rank < events.ranks(); rank++) {
      int size = graph.clocks().processed(rank);
      if (size > 0) {
        int last = events.event(rank, size - 1);
        long end = originNanos[rank] + events.endNanos(last);
        if (end > latest) {
          latest = end;
          at = last;
        }
      }
    }
    List<Link> path = new ArrayList<>();
    while (at != EventTable.NONE) {
      path.add(new Link(at, false));
      int awaited = awaited(graph, at, originNanos);
      if (path.size() == 1 && awaited == EventTable.NONE) {
        awaited = cameLast(graph, at, originNanos);
      }
      if (awaited != EventTable.NONE) {
        // What the other call itself waited for before it returned does not matter here.
        path.add(new Link(awaited, true));
        at = awaited;
      }
      at = events.number(at) > 0 ? at - 1 : EventTable.NONE;
    }
    Collections.reverse(path);
    return path;
  }

  /** The call of another rank that a call had to wait for last; none if it came in time. */
  private static int awaited(EventGraph graph, int event, long[] originNanos) {
    EventTable events = graph.events();
    int awaited = EventTable.NONE;
    if (graph.clocks().hasLearned(event)) {
      long began = start(events, event, originNanos);
      IntList sources = new IntList();
      graph.sources(event, sources);
      for (int i = 0; i < sources.size(); i++) {
        int source = sources.get(i);
        long sent = start(events, source, originNanos);
        if (sent > began) {
          began = sent;
          awaited = source;
        }
      }
    }
    return awaited;
  }

  /** The last rank's call at the end, if all ranks end with that call and one waited for it. */
  private static int cameLast(EventGraph graph, int event, long[] originNanos) {
    EventTable events = graph.events();
    int last = event;
    for (int rank = 0; rank < events.ranks(); rank++) {
      int size = graph.clocks().processed(rank);
      int other = size > 0 ? events.event(rank, size - 1) : event;
      if (events.kind(other) != EventKind.LOCAL || events.call(other) != events.call(event)) {
        return EventTable.NONE;
      }
      last = start(events, other, originNanos) > start(events, last, originNanos) ? other : last;
    }
    return last == event ? EventTable.NONE : last;
  }

  private static long start(EventTable events, int event, long[] originNanos) {
    return originNanos[events.rank(event)] + events.startNanos(event);
  }
}
