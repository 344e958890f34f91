package org.reprise.causality;

import java.util.ArrayList;
import java.util.List;
import org.reprise.causality.columns.IntList;
import org.reprise.trace.events.EventFlag;

/** What can be said of a cut beyond whether it is consistent. */
public final class Cuts {
  /**
   * Why a cut is not consistent: a call has returned in it, and what it waited for has not begun.
   *
   * @param awaited the call that has not begun, most often a send
   * @param returned the call that has returned, most often the receive of its message
   */
  public record Crossing(int awaited, int returned) {}

  private Cuts() {}

  /**
   * What crosses a cut the wrong way; nothing if it is consistent. Of each rank only its first call
   * that should not have returned is looked at.
   */
  public static List<Crossing> crossings(EventGraph graph, Cut cut) {
    EventTable events = graph.events();
    List<Crossing> crossings = new ArrayList<>();
    IntList sources = new IntList();
    for (int rank = 0; rank < events.ranks(); rank++) {
      int held = held(graph, cut, rank);
      if (held < cut.returned(rank)) {
        int wrong = events.event(rank, held);
        graph.sources(wrong, sources);
        for (int i = 0; i < sources.size(); i++) {
          int source = sources.get(i);
          if (events.number(source) >= cut.begun(events.rank(source))) {
            crossings.add(new Crossing(source, wrong));
          }
        }
      }
    }
    return crossings;
  }

  /** The furthest consistent cut within a cut: what a run has certainly done when it got there. */
  public static Cut within(EventGraph graph, Cut cut) {
    int[] moments = cut.moments();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int rank = 0; rank < moments.length; rank++) {
        Cut now = new Cut(moments);
        int held = held(graph, now, rank);
        if (held < now.returned(rank)) {
          moments[rank] = 2 * held + 1;
          changed = true;
        }
      }
    }
    return new Cut(moments);
  }

  /**
   * The furthest consistent cut within a cut in which no rank is inside a call, as checkpoints are
   * taken on entry of calls. Events that are one call of the program stay together.
   */
  public static Cut between(EventGraph graph, Cut cut) {
    EventTable events = graph.events();
    int[] moments = new int[events.ranks()];
    for (int rank = 0; rank < moments.length; rank++) {
      moments[rank] = 2 * callStart(events, rank, cut.returned(rank));
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int rank = 0; rank < moments.length; rank++) {
        Cut now = new Cut(moments);
        int held = held(graph, now, rank);
        if (held < now.returned(rank)) {
          moments[rank] = 2 * callStart(events, rank, held);
          changed = true;
        }
      }
    }
    return new Cut(moments);
  }

  /** How many events of a rank lie before the call that its event number {@code at} belongs to. */
  public static int callStart(EventTable events, int rank, int at) {
    int start = at;
    while (start > 0 && events.is(events.event(rank, start - 1), EventFlag.JOINED)) {
      start--;
    }
    return start;
  }

  /** The least consistent cut that a cut lies within. */
  public static Cut around(EventGraph graph, Cut cut) {
    EventTable events = graph.events();
    int[] moments = cut.moments();
    for (int rank = 0; rank < moments.length; rank++) {
      if (cut.returned(rank) > 0) {
        int[] past = graph.past(events.event(rank, cut.returned(rank) - 1));
        for (int other = 0; other < moments.length; other++) {
          moments[other] = Math.max(moments[other], 2 * past[other] - 1);
        }
      }
    }
    return new Cut(moments);
  }

  /** The same cut, in which ranks have returned from the calls they are inside, if these can. */
  public static Cut returned(EventGraph graph, Cut cut) {
    int[] moments = cut.moments();
    for (int rank = 0; rank < moments.length; rank++) {
      boolean inside = moments[rank] % 2 == 1;
      if (inside && graph.holds(cut, graph.events().event(rank, cut.returned(rank)))) {
        moments[rank]++;
      }
    }
    return new Cut(moments);
  }

  /**
   * The same consistent cut, in which ranks have not begun the calls they are inside, unless others
   * have got further because these had begun.
   */
  public static Cut onEntry(EventGraph graph, Cut cut) {
    int[] moments = cut.moments();
    for (int rank = 0; rank < moments.length; rank++) {
      if (moments[rank] % 2 == 1) {
        // What others have returned from stays the same, so each rank can be tried alone.
        int[] earlier = cut.moments();
        earlier[rank]--;
        moments[rank] -= graph.isConsistent(new Cut(earlier)) ? 1 : 0;
      }
    }
    return new Cut(moments);
  }

  /** How many of a rank's first calls could have returned in a cut. */
  private static int held(EventGraph graph, Cut cut, int rank) {
    int low = 0;
    int high = cut.returned(rank);
    if (high == 0 || graph.holds(cut, graph.events().event(rank, high - 1))) {
      return high;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (graph.holds(cut, graph.events().event(rank, middle))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** How many messages have been sent in a cut and are not known to be received. */
  public static int underWay(EventGraph graph, Cut cut) {
    EventTable events = graph.events();
    Pairing pairing = graph.pairing();
    int underWay = 0;
    for (int message = 0; message < pairing.messages(); message++) {
      int send = pairing.send(message);
      int receive = pairing.receive(message);
      boolean sent = events.number(send) < cut.begun(events.rank(send));
      underWay += sent && !(receive >= 0 && hasReturned(graph, cut, receive)) ? 1 : 0;
    }
    return underWay;
  }

  /** Whether the call that told the program of a message has returned. */
  private static boolean hasReturned(EventGraph graph, Cut cut, int receive) {
    EventTable events = graph.events();
    int completion = MatchOrder.completion(events, receive);
    return completion < events.size()
        && events.number(completion) < cut.returned(events.rank(receive));
  }
}
