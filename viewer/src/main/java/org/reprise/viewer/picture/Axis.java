package org.reprise.viewer.picture;

import java.util.Arrays;
import java.util.Locale;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.LogicalTime;
import org.reprise.viewer.RankClocks;

/**
 * What goes from left to right: physical time in nanoseconds, or logical order. Both begin at 0,
 * and the calls of a rank begin in the order of their numbers.
 */
public abstract class Axis {
  /** The kinds of axes. */
  public enum Kind {
    TIME,
    ORDER;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final EventTable events;
  private long length = 1;

  private Axis(EventTable events) {
    this.events = events;
  }

  public static Axis of(Kind kind, EventGraph graph, RankClocks clocks) {
    Axis axis =
        switch (kind) {
          case TIME -> new Time(graph.events(), clocks);
          case ORDER -> new Order(graph);
        };
    axis.measure();
    return axis;
  }

  private void measure() {
    for (int rank = 0; rank < events.ranks(); rank++) {
      for (int e = events.first(rank); e < events.first(rank + 1); e++) {
        length = Math.max(length, end(rank, e) + 1);
      }
    }
  }

  /** When a call of a rank began. */
  public abstract long start(int rank, int event);

  /** When it returned. */
  public abstract long end(int rank, int event);

  public long start(int event) {
    return start(events.rank(event), event);
  }

  public long end(int event) {
    return end(events.rank(event), event);
  }

  /** Behind the last return. */
  public long length() {
    return length;
  }

  /** The whole axis is one tile of 2 to this. */
  public int shift() {
    return Long.SIZE - Long.numberOfLeadingZeros(length - 1);
  }

  private static final class Time extends Axis {
    private final EventTable events;
    private final RankClocks clocks;

    /** By rank: its starts, where threads make them come out of order. */
    private final long[][] sorted;

    Time(EventTable events, RankClocks clocks) {
      super(events);
      this.events = events;
      this.clocks = clocks;
      sorted = new long[events.ranks()][];
      Arrays.parallelSetAll(sorted, this::inOrder);
    }

    private long[] inOrder(int rank) {
      int first = events.first(rank);
      int size = events.size(rank);
      boolean inOrder = true;
      for (int i = 1; i < size && inOrder; i++) {
        inOrder = events.startNanos(first + i) >= events.startNanos(first + i - 1);
      }
      long[] starts = new long[inOrder ? 0 : size];
      for (int i = 0; i < starts.length; i++) {
        long own = clocks.at(rank, events.startNanos(first + i));
        starts[i] = i == 0 ? own : Math.max(own, starts[i - 1]);
      }
      return starts;
    }

    @Override
    public long start(int rank, int event) {
      long[] known = sorted[rank];
      return known.length > 0
          ? known[event - events.first(rank)]
          : clocks.at(rank, events.startNanos(event));
    }

    @Override
    public long end(int rank, int event) {
      return Math.max(start(rank, event), clocks.at(rank, events.endNanos(event)));
    }
  }

  private static final class Order extends Axis {
    private final LogicalTime time;

    Order(EventGraph graph) {
      super(graph.events());
      time = LogicalTime.of(graph);
    }

    @Override
    public long start(int rank, int event) {
      return time.entry(event);
    }

    @Override
    public long end(int rank, int event) {
      return time.returned(event);
    }
  }
}
