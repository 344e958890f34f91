package org.reprise.causality;

import java.util.ArrayList;
import java.util.List;
import org.reprise.trace.EventFlag;
import org.reprise.trace.EventKind;

/**
 * Where two runs of a program went different ways. Each rank has a first event that differs; those
 * that no other one precedes are where it began, the rest follow from them.
 */
public final class Divergences {
  /**
   * The first difference of one rank.
   *
   * @param rank the rank
   * @param first its event in the first run; {@link EventTable#NONE} if it had ended there
   * @param second its event in the second run, or {@link EventTable#NONE}
   * @param original whether no other rank's difference precedes it
   */
  public record Divergence(int rank, int first, int second, boolean original) {}

  private Divergences() {}

  /** The first difference of every rank that has one, those where it began first. */
  public static List<Divergence> between(EventGraph first, EventGraph second) {
    EventTable a = first.events();
    EventTable b = second.events();
    if (a.ranks() != b.ranks()) {
      throw new IllegalArgumentException(a.ranks() + " ranks beside " + b.ranks());
    }
    List<Divergence> found = new ArrayList<>();
    for (int rank = 0; rank < a.ranks(); rank++) {
      int[] placeInA = places(a, rank);
      int[] placeInB = places(b, rank);
      int i = next(a, rank, a.first(rank));
      int j = next(b, rank, b.first(rank));
      while (i != EventTable.NONE && j != EventTable.NONE && same(a, i, placeInA, b, j, placeInB)) {
        i = next(a, rank, i + 1);
        j = next(b, rank, j + 1);
      }
      if (i != j && (i == EventTable.NONE || j == EventTable.NONE) || i != EventTable.NONE) {
        found.add(new Divergence(rank, i, j, true));
      }
    }
    List<Divergence> all = new ArrayList<>();
    for (Divergence one : found) {
      boolean caused =
          found.stream()
              .anyMatch(
                  other ->
                      other != one
                          && (precedes(first, other.first, one.first)
                              || precedes(second, other.second, one.second)));
      all.add(new Divergence(one.rank, one.first, one.second, !caused));
    }
    all.sort((x, y) -> Boolean.compare(y.original, x.original));
    return all;
  }

  private static boolean precedes(EventGraph graph, int a, int b) {
    return a >= 0 && b >= 0 && graph.contains(a) && graph.contains(b) && graph.happenedBefore(a, b);
  }

  /** How often a poll failed is no difference. */
  private static int next(EventTable events, int rank, int from) {
    int event = from;
    while (event < events.first(rank + 1) && events.kind(event) == EventKind.POLLS) {
      event++;
    }
    return event < events.first(rank + 1) ? event : EventTable.NONE;
  }

  private static boolean same(
      EventTable a, int i, int[] placeInA, EventTable b, int j, int[] placeInB) {
    boolean alike =
        a.kind(i) == b.kind(j)
            && a.call(i) == b.call(j)
            && a.peer(i) == b.peer(j)
            && a.tag(i) == b.tag(j)
            && a.flow(i) == b.flow(j)
            && a.is(i, EventFlag.CANCELLED) == b.is(j, EventFlag.CANCELLED)
            && commId(a, i) == commId(b, j);
    boolean ends = a.kind(i).isLinked() && a.link(i) >= 0 && b.link(j) >= 0;
    return alike && (!ends || placeInA[a.number(a.link(i))] == placeInB[b.number(b.link(j))]);
  }

  /** By number of a rank's event: its place if failed polls are not counted. */
  private static int[] places(EventTable events, int rank) {
    int[] places = new int[events.size(rank)];
    int place = 0;
    for (int i = 0; i < places.length; i++) {
      places[i] = place;
      place += events.kind(events.event(rank, i)) == EventKind.POLLS ? 0 : 1;
    }
    return places;
  }

  private static long commId(EventTable events, int event) {
    int comm = events.comm(event);
    return comm < 0 ? 0 : events.communicators().get(comm).id();
  }
}
