package org.reprise.recovery;

/** How far checkpoints of a rank are meant to be apart. */
public sealed interface Period {
  /** By time. */
  record OfTime(long nanos) implements Period {
    public OfTime {
      require(nanos);
    }
  }

  /** By the number of a rank's events. */
  record OfEvents(long count) implements Period {
    public OfEvents {
      require(count);
    }
  }

  private static void require(long length) {
    if (length <= 0) {
      throw new IllegalArgumentException("a period of " + length);
    }
  }

  /** The length, in nanoseconds or events. */
  default long length() {
    return switch (this) {
      case OfTime(long nanos) -> nanos;
      case OfEvents(long count) -> count;
    };
  }

  /** Where a rank is at a position, in the unit of the period. */
  default long at(Timeline timeline, int rank, int position) {
    return this instanceof OfTime ? timeline.at(rank, position) : position;
  }

  /** The last position of a rank that is not behind this place. */
  default int before(Timeline timeline, int rank, long place) {
    return this instanceof OfTime
        ? timeline.before(rank, place)
        : timeline.position(rank, (int) Math.min(timeline.end(rank), Math.max(0, place)));
  }

  /** Where the run begins. */
  default long start(Timeline timeline) {
    return this instanceof OfTime ? timeline.startNanos() : 0;
  }

  /** Where it ends. */
  default long end(Timeline timeline) {
    if (this instanceof OfTime) {
      return timeline.endNanos();
    }
    int longest = 0;
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      longest = Math.max(longest, timeline.end(rank));
    }
    return longest;
  }

  /** How many periods a run has. */
  default long count(Timeline timeline) {
    return (end(timeline) - start(timeline)) / length();
  }
}
