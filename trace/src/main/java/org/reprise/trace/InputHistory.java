package org.reprise.trace;

import java.util.HashMap;
import java.util.Map;

/**
 * The last value of every clock, as each thread has read it: an inputs file holds differences to
 * these.
 */
final class InputHistory {
  private record Series(long thread, Wire.InputKind kind, int clock) {}

  private final Map<Series, Long> last = new HashMap<>();
  private long thread;

  void switchTo(long otherThread) {
    thread = otherThread;
  }

  /** The value that is so much more than the last one, which it becomes. */
  long plus(Wire.InputKind kind, int clock, long difference) {
    return last.merge(new Series(thread, kind, clock), difference, Long::sum);
  }

  /** How much more a value is than the last one, which it becomes. */
  long difference(Wire.InputKind kind, int clock, long value) {
    Long before = last.put(new Series(thread, kind, clock), value);
    return before == null ? value : value - before;
  }
}
