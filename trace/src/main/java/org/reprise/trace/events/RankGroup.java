package org.reprise.trace.events;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The members of a communicator, by their numbers in MPI_COMM_WORLD, in the order of their ranks.
 * Kept as runs of equal stride: the world of 4,096 ranks, known to each of them, is one run each.
 */
public final class RankGroup {
  private final int[] first;
  private final int[] stride;

  /** Rank in this group at which each run begins; one more at the end: the size. */
  private final int[] start;

  private RankGroup(int[] first, int[] stride, int[] start) {
    this.first = first;
    this.stride = stride;
    this.start = start;
  }

  public static RankGroup of(int... worldRanks) {
    Builder group = new Builder();
    for (int at = 0; at < worldRanks.length; ) {
      int end = at + 1;
      int step = end < worldRanks.length ? worldRanks[end] - worldRanks[at] : 1;
      while (end < worldRanks.length && worldRanks[end] - worldRanks[end - 1] == step) {
        end++;
      }
      group.add(worldRanks[at], end - at, step);
      at = end;
    }
    return group.build();
  }

  /** {@code count} ranks from {@code first} on, each {@code stride} from the last. */
  public static RankGroup run(int first, int count, int stride) {
    Builder group = new Builder();
    if (count > 0) {
      group.add(first, count, stride);
    }
    return group.build();
  }

  /** Puts runs behind each other. */
  static final class Builder {
    private int[] first = new int[1];
    private int[] stride = new int[1];
    private int[] start = new int[2];
    private int runs;

    void add(int from, int count, int by) {
      if (runs == first.length) {
        first = Arrays.copyOf(first, 2 * runs);
        stride = Arrays.copyOf(stride, 2 * runs);
        start = Arrays.copyOf(start, 2 * runs + 1);
      }
      first[runs] = from;
      stride[runs] = by;
      start[runs + 1] = start[runs] + count;
      runs++;
    }

    int size() {
      return start[runs];
    }

    RankGroup build() {
      return new RankGroup(
          Arrays.copyOf(first, runs), Arrays.copyOf(stride, runs), Arrays.copyOf(start, runs + 1));
    }
  }

  public int size() {
    return start[start.length - 1];
  }

  /** The world rank of the member with this rank. */
  public int world(int rank) {
    int run = 0;
    if (start.length > 2) {
      run = Arrays.binarySearch(start, rank);
      run = run < 0 ? -run - 2 : run;
    }
    return first[run] + stride[run] * (rank - start[run]);
  }

  /** The rank of the member with this world rank, or -1. */
  public int indexOf(int world) {
    for (int run = 0; run < first.length; run++) {
      int distance = world - first[run];
      int count = start[run + 1] - start[run];
      int place = stride[run] == 0 ? 0 : distance / stride[run];
      if (place >= 0 && place < count && place * stride[run] == distance) {
        return start[run] + place;
      }
    }
    return -1;
  }

  int runs() {
    return first.length;
  }

  int runFirst(int run) {
    return first[run];
  }

  int runStride(int run) {
    return stride[run];
  }

  int runCount(int run) {
    return start[run + 1] - start[run];
  }

  public int[] toArray() {
    return IntStream.range(0, size()).map(this::world).toArray();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RankGroup group
        && size() == group.size()
        && IntStream.range(0, size()).allMatch(rank -> world(rank) == group.world(rank));
  }

  @Override
  public int hashCode() {
    return size() == 0 ? 0 : 31 * size() + world(size() - 1);
  }

  @Override
  public String toString() {
    return size() <= 8
        ? Arrays.toString(toArray())
        : size() + " ranks from " + world(0) + " to " + world(size() - 1);
  }
}
