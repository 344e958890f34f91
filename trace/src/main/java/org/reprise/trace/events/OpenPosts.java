package org.reprise.trace.events;

import java.util.Arrays;

/**
 * What the events of a rank have begun and not ended: posts, and messages that an Mprobe holds. An
 * event that names an earlier one means one of these, or the trace is damaged.
 */
final class OpenPosts {
  private static final EventKind[] KINDS = EventKind.values();
  private static final int FREED = 1 << 5;
  private static final int KIND = FREED - 1;
  private static final int COMM_SHIFT = 6;

  /** Communicators that fit beside the kind; a file with more is damaged. */
  static final int COMMS_MAX = 1 << (Integer.SIZE - 1 - COMM_SHIFT);

  /** By the number of the event: 0 or its kind, whether it was freed, and its communicator. */
  private int[] state = new int[256];

  void open(int event, EventKind kind, int comm) {
    if (event >= state.length) {
      state = Arrays.copyOf(state, Math.max(event + 1, state.length + (state.length >> 1)));
    }
    state[event] = kind.ordinal() | comm << COMM_SHIFT;
  }

  /** The kind of an event that is open; NONE if it is not. */
  EventKind kind(long event) {
    return KINDS[at(event) & KIND];
  }

  boolean isFreed(long event) {
    return (at(event) & FREED) != 0;
  }

  int comm(long event) {
    return at(event) >>> COMM_SHIFT;
  }

  void free(long event) {
    state[(int) event] |= FREED;
  }

  void close(long event) {
    state[(int) event] = 0;
  }

  private int at(long event) {
    return event >= 0 && event < state.length ? state[(int) event] : 0;
  }
}
