package org.reprise.viewer.picture;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.reprise.causality.EventTable;

/**
 * Says for any moment how long each rank had been in which state by then, without going through its
 * events: sums are kept for every so many of them. So a picture of the whole run takes as long as
 * one of a small part of it. Guarded by the view benchmark.
 */
public final class LaneIndex {
  private static final int BLOCK_SHIFT = 5;
  private static final int BLOCK = 1 << BLOCK_SHIFT;

  private final EventTable events;
  private final Axis axis;

  /** By rank, block and state: how long its calls before the block were in that state. */
  private final long[][] sums;

  /** By rank and block: the latest end of calls before it; what comes later begins there. */
  private final long[][] reached;

  public LaneIndex(EventTable events, Axis axis) {
    this.events = events;
    this.axis = axis;
    sums = new long[events.ranks()][];
    reached = new long[events.ranks()][];
    IntStream.range(0, events.ranks()).parallel().forEach(this::add);
  }

  public Axis axis() {
    return axis;
  }

  private void add(int rank) {
    int first = events.first(rank);
    int size = events.size(rank);
    long[] sumsHere = new long[((size >> BLOCK_SHIFT) + 1) * State.COUNT];
    long[] reachedHere = new long[(size >> BLOCK_SHIFT) + 1];
    long[] sum = new long[State.COUNT];
    long end = 0;
    for (int i = 0; i < size; i++) {
      if ((i & BLOCK - 1) == 0) {
        System.arraycopy(sum, 0, sumsHere, (i >> BLOCK_SHIFT) * State.COUNT, State.COUNT);
        reachedHere[i >> BLOCK_SHIFT] = end;
      }
      int event = first + i;
      long to = axis.end(rank, event);
      long from = Math.max(end, axis.start(rank, event));
      if (to > from) {
        sum[state(rank, event).ordinal()] += to - from;
        end = to;
      }
    }
    sums[rank] = sumsHere;
    reached[rank] = reachedHere;
  }

  /** The state of the time that calls with the same beginning and end share. */
  public State state(int rank, int event) {
    State state = State.of(events, event);
    int last = events.first(rank) + events.size(rank);
    long start = axis.start(rank, event);
    for (int e = event + 1;
        e < last && axis.start(rank, e) == start && axis.end(rank, e) == axis.end(rank, event);
        e++) {
      State other = State.of(events, e);
      state = other.compareTo(state) > 0 ? other : state;
    }
    return state;
  }

  /** How many calls of a rank began before a moment. */
  public int begun(int rank, long moment) {
    int first = events.first(rank);
    int low = 0;
    int high = events.size(rank);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (axis.start(rank, first + middle) < moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The number of the first call of a rank that had not ended at a moment, of those begun. */
  public int firstOpen(int rank, long moment) {
    int number = begun(rank, moment);
    int first = events.first(rank);
    while (number > 0 && axis.end(rank, first + number - 1) > moment) {
      number--;
    }
    return number;
  }

  /** How long a rank had been in each state before a moment; {@code begun} of its calls had. */
  public void spent(int rank, long moment, int begun, long[] into) {
    int block = begun >> BLOCK_SHIFT;
    int first = events.first(rank);
    Arrays.fill(into, 0);
    if (events.size(rank) == 0) {
      return;
    }
    block = Math.min(block, (events.size(rank) - 1) >> BLOCK_SHIFT);
    System.arraycopy(sums[rank], block * State.COUNT, into, 0, State.COUNT);
    long end = reached[rank][block];
    if (end > moment && block > 0) {
      // A call before the block is still open; few blocks end inside of one.
      spentByWalking(rank, moment, begun, into);
      return;
    }
    for (int i = block << BLOCK_SHIFT; i < begun; i++) {
      end = addCall(rank, first + i, end, moment, into);
    }
  }

  private void spentByWalking(int rank, long moment, int begun, long[] into) {
    int first = events.first(rank);
    int block = Math.min(begun, events.size(rank) - 1) >> BLOCK_SHIFT;
    while (block > 0 && reached[rank][block] > moment) {
      block--;
    }
    System.arraycopy(sums[rank], block * State.COUNT, into, 0, State.COUNT);
    long end = reached[rank][block];
    for (int i = block << BLOCK_SHIFT; i < begun && end < moment; i++) {
      end = addCall(rank, first + i, end, moment, into);
    }
  }

  private long addCall(int rank, int event, long reachedBefore, long moment, long[] into) {
    long to = Math.min(moment, axis.end(rank, event));
    long from = Math.max(reachedBefore, axis.start(rank, event));
    if (to > from) {
      into[state(rank, event).ordinal()] += to - from;
      return to;
    }
    return reachedBefore;
  }
}
