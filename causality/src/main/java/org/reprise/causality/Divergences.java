package org.reprise.causality;

import java.util.ArrayList;
import java.util.List;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Where two runs of a program went different ways. Each rank has a first event that differs; those
 * that no other one precedes are where it began, the rest follow from them. So does the end of a
 * rank if another rank did something else: the job was ended because of that.
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
  public record Divergence(int rank, int first, int second, boolean original) {
    /** Whether the rank did nothing else, but ended earlier in one of the runs. */
    boolean ends() {
      return first < 0 || second < 0;
    }
  }

  private Divergences() {}

  /**
   * The first difference of every rank that has one, those where it began first.
   *
   * @param polls whether it is a difference how often polls failed between two other events. Into
   *     how many events a row of them falls is none: that depends on how long the calls took.
   */
  public static List<Divergence> between(EventGraph first, EventGraph second, boolean polls) {
    EventTable a = first.events();
    EventTable b = second.events();
    if (a.ranks() != b.ranks()) {
      throw new IllegalArgumentException(a.ranks() + " ranks beside " + b.ranks());
    }
    List<Divergence> found = new ArrayList<>();
    for (int rank = 0; rank < a.ranks(); rank++) {
      Walk left = new Walk(a, rank);
      Walk right = new Walk(b, rank);
      boolean alike = true;
      while (alike) {
        alike = !polls || failedPolls(a, left.at) == failedPolls(b, right.at);
        if (alike) {
          left.passPolls();
          right.passPolls();
          alike = !left.isOver() && !right.isOver() && left.isAtSameAs(right);
        }
        if (alike) {
          left.at++;
          right.at++;
        }
      }
      if (!left.isOver() || !right.isOver()) {
        found.add(new Divergence(rank, left.event(), right.event(), true));
      }
    }
    boolean anyAct = found.stream().anyMatch(one -> !one.ends());
    List<Divergence> all = new ArrayList<>();
    for (Divergence one : found) {
      boolean caused =
          (one.ends() && anyAct)
              || found.stream()
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

  /** How often polls failed in the row of them that begins at an event; 0 if none begins there. */
  public static long failedPolls(EventTable events, int event) {
    long failed = 0;
    if (event < events.size()) {
      int end = events.first(events.rank(event) + 1);
      for (int e = event; e < end && events.kind(e) == EventKind.POLLS; e++) {
        failed += events.bytes(e);
      }
    }
    return failed;
  }

  /** A way through the events of one rank. */
  private static final class Walk {
    private final EventTable events;
    private final int end;
    private int at;

    /** By number of an event: its place if failed polls are not counted. */
    private final int[] places;

    Walk(EventTable events, int rank) {
      this.events = events;
      at = events.first(rank);
      end = events.first(rank + 1);
      places = new int[events.size(rank)];
      int place = 0;
      for (int i = 0; i < places.length; i++) {
        places[i] = place;
        place += events.kind(at + i) == EventKind.POLLS ? 0 : 1;
      }
    }

    boolean isOver() {
      return at == end;
    }

    int event() {
      return isOver() ? EventTable.NONE : at;
    }

    void passPolls() {
      while (!isOver() && events.kind(at) == EventKind.POLLS) {
        at++;
      }
    }

    boolean isAtSameAs(Walk other) {
      EventTable theirs = other.events;
      boolean alike =
          events.kind(at) == theirs.kind(other.at)
              && events.call(at) == theirs.call(other.at)
              && events.peer(at) == theirs.peer(other.at)
              && events.tag(at) == theirs.tag(other.at)
              && events.flow(at) == theirs.flow(other.at)
              && events.is(at, EventFlag.CANCELLED) == theirs.is(other.at, EventFlag.CANCELLED)
              && commId() == other.commId();
      boolean ends =
          events.kind(at).isLinked() && events.link(at) >= 0 && theirs.link(other.at) >= 0;
      return alike && (!ends || placeOfPost() == other.placeOfPost());
    }

    private int placeOfPost() {
      return places[events.number(events.link(at))];
    }

    private long commId() {
      int comm = events.comm(at);
      return comm < 0 ? 0 : events.communicators().get(comm).id();
    }
  }
}
