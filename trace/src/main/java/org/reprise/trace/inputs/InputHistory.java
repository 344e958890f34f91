package org.reprise.trace.inputs;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.trace.file.Wire;

/**
 * The last value of every clock, as each thread has read it, and how far each clock is expected to
 * be at its next reading: an inputs file holds differences to these. The arithmetic is that of the
 * interposer; docs/TRACE-FORMAT.md describes it.
 */
final class InputHistory {
  /** The readings of one clock by one thread. */
  static final class Series {
    final Wire.InputKind kind;
    final int clock;
    private final long[] expected = new long[Wire.INPUT_CLASSES];
    private int expectedClass;
    private long last;

    private Series(Wire.InputKind kind, int clock) {
      this.kind = kind;
      this.clock = clock;
    }

    /** The reading that is so much more than the last one. */
    long plus(long difference) {
      long step = (difference - expected[expectedClass]) >> 1;
      expected[expectedClass] += Math.clamp(step, -Wire.INPUT_STEP_MAX, (long) Wire.INPUT_STEP_MAX);
      int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.abs(difference));
      expectedClass = Math.min(bits, Wire.INPUT_CLASSES - 1);
      last += difference;
      return last;
    }

    /** The reading that is so much more than the expected one. */
    long plusExpected(long more) {
      return plus(expected[expectedClass] + more);
    }

    long differenceTo(long value) {
      return value - last;
    }

    /** How much more a difference is than the expected one. */
    long unexpected(long difference) {
      return difference - expected[expectedClass];
    }
  }

  private record Key(Wire.InputKind kind, int clock) {}

  /** What one thread has read. */
  private static final class OneThread {
    private final Map<Key, Series> series = new HashMap<>();
    private @Nullable Series latest;
  }

  private final Map<Long, OneThread> threads = new HashMap<>();
  private OneThread thread = new OneThread();

  InputHistory() {
    threads.put(0L, thread);
  }

  void switchTo(long otherThread) {
    thread = threads.computeIfAbsent(otherThread, _ -> new OneThread());
  }

  /** The clock that is read now. */
  Series read(Wire.InputKind kind, int clock) {
    Series series =
        thread.series.computeIfAbsent(new Key(kind, clock), _ -> new Series(kind, clock));
    thread.latest = series;
    return series;
  }

  /** The clock that was read last; null if none was. */
  @Nullable Series latest() {
    return thread.latest;
  }
}
