package org.reprise.causality;

import java.util.Arrays;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;

/** A set of events that tells how many of its members come before an event. */
final class RankedBits {
  /**
   * In pairs, so that a question finds both in one line of the cache: a bit per event; and how many
   * bits are set before this word.
   */
  private final long[] pairs;

  private int count;

  private RankedBits(long[] pairs) {
    this.pairs = pairs;
    for (int i = 0; i < pairs.length; i += 2) {
      pairs[i + 1] = count;
      count += Long.bitCount(pairs[i]);
    }
  }

  /** Collects events below {@code size}, in any order. */
  static final class Builder {
    private final long[] pairs;

    Builder(int size) {
      pairs = new long[2 * ((size >> 6) + 1)];
    }

    void set(int event) {
      pairs[event >> 6 << 1] |= 1L << event;
    }

    /** The set; the builder must not be used again. */
    RankedBits build() {
      return new RankedBits(pairs);
    }
  }

  void write(NumberWriter out) {
    out.longs(pairs);
  }

  /** What was written, of events below {@code size}. */
  static RankedBits read(NumberReader in, int size) {
    long[] pairs = in.longs();
    if (pairs.length != 2 * ((size >> 6) + 1)) {
      throw new IllegalStateException("not a set of these events");
    }
    return new RankedBits(pairs);
  }

  int count() {
    return count;
  }

  boolean get(int event) {
    return (pairs[event >> 6 << 1] & 1L << event) != 0;
  }

  /** How many members are less than this event. */
  int countBefore(int event) {
    int pair = event >> 6 << 1;
    return (int) pairs[pair + 1] + Long.bitCount(pairs[pair] & ((1L << event) - 1));
  }

  /** The greatest member that is less than this event, or -1. */
  int previous(int event) {
    int word = event >> 6;
    long bits = pairs[2 * word] & ((1L << event) - 1);
    while (bits == 0) {
      if (--word < 0) {
        return EventTable.NONE;
      }
      bits = pairs[2 * word];
    }
    return (word << 6) + 63 - Long.numberOfLeadingZeros(bits);
  }

  boolean isEqualTo(RankedBits other) {
    return Arrays.equals(pairs, other.pairs);
  }
}
