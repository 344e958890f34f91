package org.reprise.recovery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;

/**
 * The virtual checkpoints of all ranks. Those of one rank have rising indices and positions, and
 * the first one is at the beginning. A mark is named by its rank and its number there, from 0;
 * numbers and indices are not the same where indices were left out.
 */
public final class Marks {
  private final Timeline timeline;
  private final VirtualCheckpoint[][] marks;

  private Marks(Timeline timeline, VirtualCheckpoint[][] marks) {
    this.timeline = timeline;
    this.marks = marks;
  }

  /** Collects marks, those of a rank from its beginning on. */
  static final class Builder {
    private final Timeline timeline;
    private final List<List<VirtualCheckpoint>> marks = new ArrayList<>();

    Builder(Timeline timeline) {
      this.timeline = timeline;
      for (int rank = 0; rank < timeline.ranks(); rank++) {
        marks.add(new ArrayList<>());
        add(rank, 0, 0, VirtualCheckpoint.Cause.START);
      }
    }

    /** A second mark at a position takes the place of the first. */
    void add(int rank, int index, int position, VirtualCheckpoint.Cause cause) {
      List<VirtualCheckpoint> own = marks.get(rank);
      if (!own.isEmpty() && own.getLast().position() == position) {
        own.removeLast();
      }
      own.add(new VirtualCheckpoint(rank, index, position, cause));
    }

    VirtualCheckpoint last(int rank) {
      return marks.get(rank).getLast();
    }

    /** The index of the interval of a rank's event, as far as marks are known. */
    int index(int rank, int number) {
      List<VirtualCheckpoint> own = marks.get(rank);
      int at = own.size() - 1;
      // Messages are received soon after they were sent.
      while (own.get(at).position() > number) {
        at--;
      }
      return own.get(at).index();
    }

    Marks build() {
      VirtualCheckpoint[][] all = new VirtualCheckpoint[marks.size()][];
      Arrays.setAll(all, rank -> marks.get(rank).toArray(VirtualCheckpoint[]::new));
      return new Marks(timeline, all);
    }
  }

  /** The same, less those that do not pass; what is first of a rank stays. */
  public Marks keeping(Predicate<VirtualCheckpoint> kept) {
    VirtualCheckpoint[][] fewer = new VirtualCheckpoint[marks.length][];
    Arrays.setAll(
        fewer,
        rank ->
            Arrays.stream(marks[rank])
                .filter(one -> one == marks[rank][0] || kept.test(one))
                .toArray(VirtualCheckpoint[]::new));
    return new Marks(timeline, fewer);
  }

  public Timeline timeline() {
    return timeline;
  }

  /** How many marks a rank has. */
  public int count(int rank) {
    return marks[rank].length;
  }

  /** How many all ranks have. */
  public int count() {
    return Arrays.stream(marks).mapToInt(own -> own.length).sum();
  }

  /** How many there are for this cause. */
  public int count(VirtualCheckpoint.Cause cause) {
    return (int)
        Arrays.stream(marks).flatMap(Arrays::stream).filter(one -> one.cause() == cause).count();
  }

  public VirtualCheckpoint get(int rank, int number) {
    return marks[rank][number];
  }

  public int position(int rank, int number) {
    return marks[rank][number].position();
  }

  /** The number of a rank's last mark that lies before so many events, or right behind them. */
  public int last(int rank, int position) {
    VirtualCheckpoint[] own = marks[rank];
    int low = 0;
    int high = own.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (own[middle].position() <= position) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The number of the mark that begins an event's interval. */
  int interval(int event) {
    EventTable events = timeline.events();
    int rank = events.rank(event);
    return last(rank, event - events.first(rank));
  }

  /** The index of an event's interval. */
  public int index(int event) {
    return marks[timeline.events().rank(event)][interval(event)].index();
  }

  /** The highest index of all ranks. */
  public int lastIndex() {
    int last = 0;
    for (int rank = 0; rank < marks.length; rank++) {
      last = Math.max(last, lastIndex(rank));
    }
    return last;
  }

  /** The highest index of a rank. */
  int lastIndex(int rank) {
    return marks[rank][marks[rank].length - 1].index();
  }

  /**
   * The number of the mark that an index means on a rank: the first one that has it or a higher
   * one. -1 if the rank never got there.
   */
  public int withIndex(int rank, int index) {
    VirtualCheckpoint[] own = marks[rank];
    if (lastIndex(rank) < index) {
      return -1;
    }
    int low = 0;
    int high = own.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (own[middle].index() >= index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** When a rank was at a mark. */
  public long nanos(int rank, int number) {
    return timeline.at(rank, position(rank, number));
  }

  /** How long after the mark of its interval the call of an event was entered. */
  long sinceMark(int event) {
    int rank = timeline.events().rank(event);
    return timeline.entry(event) - nanos(rank, interval(event));
  }

  /** How long after the mark of its interval the call of an event returned. */
  long untilReturn(int event) {
    int rank = timeline.events().rank(event);
    return timeline.exit(event) - nanos(rank, interval(event));
  }

  /**
   * Whether one mark happened before another: whether a call behind the first must have begun
   * before the last call in front of the second could return.
   */
  public boolean happenedBefore(int rank, int number, int otherRank, int otherNumber) {
    int from = position(rank, number);
    int to = position(otherRank, otherNumber);
    if (rank == otherRank) {
      return from < to;
    }
    EventGraph graph = timeline.graph();
    EventTable events = timeline.events();
    return to > 0
        && from < timeline.end(rank)
        && graph.precedes(events.event(rank, from), events.event(otherRank, to - 1));
  }

  /** The longest interval between two marks of a rank, or from its last mark to its end. */
  public long longestNanos() {
    long longest = 0;
    for (int rank = 0; rank < marks.length; rank++) {
      for (int number = 0; number < count(rank); number++) {
        long next =
            number + 1 < count(rank)
                ? nanos(rank, number + 1)
                : timeline.at(rank, timeline.end(rank));
        longest = Math.max(longest, next - nanos(rank, number));
      }
    }
    return longest;
  }

  /**
   * How far the marks of one index are apart at most. A rank that waits in the call behind a mark
   * is as well at the end of that wait as at its beginning. Ranks that have ended do not count:
   * nothing has to be replayed of them.
   */
  public long spreadNanos() {
    long spread = 0;
    for (int index = 0; index <= lastIndex(); index++) {
      long first = Long.MAX_VALUE;
      long last = Long.MIN_VALUE;
      for (int rank = 0; rank < marks.length; rank++) {
        int number = withIndex(rank, index);
        if (number >= 0 && position(rank, number) < timeline.end(rank)) {
          first = Math.min(first, timeline.goesOn(rank, position(rank, number)));
          last = Math.max(last, nanos(rank, number));
        }
      }
      spread = last == Long.MIN_VALUE ? spread : Math.max(spread, last - first);
    }
    return spread;
  }
}
