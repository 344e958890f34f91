package org.reprise.trace.events;

import java.util.HashMap;
import java.util.Map;

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

  private static final int RECENT_MAX = 1 << 12;
  private static final int RECENT_MIN = 1 << 4;

  /**
   * By the number of the event, the last ones only: 0 or its kind, whether it was freed, and its
   * communicator.
   */
  private final int[] state;

  /** Whose state that is. */
  private final int[] owner;

  private final int mask;

  /** Those that have been open for longer: few, in most programs. */
  private final Map<Integer, Integer> old = new HashMap<>();

  /**
   * None.
   *
   * @param events about how many events there are: for few, little room is enough
   */
  OpenPosts(long events) {
    int room = Math.clamp(2 * Long.highestOneBit(events), RECENT_MIN, RECENT_MAX);
    state = new int[room];
    owner = new int[room];
    mask = room - 1;
  }

  void open(int event, EventKind kind, int comm) {
    int place = event & mask;
    if (state[place] != 0) {
      old.put(owner[place], state[place]);
    }
    owner[place] = event;
    state[place] = kind.ordinal() | comm << COMM_SHIFT;
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
    put((int) event, at(event) | FREED);
  }

  void close(long event) {
    put((int) event, 0);
  }

  private boolean isRecent(long event) {
    int place = (int) event & mask;
    return state[place] != 0 && owner[place] == event;
  }

  private void put(int event, int value) {
    if (isRecent(event)) {
      state[event & mask] = value;
    } else if (value == 0) {
      old.remove(event);
    } else {
      old.put(event, value);
    }
  }

  private int at(long event) {
    if (event < 0 || event > Integer.MAX_VALUE) {
      return 0;
    }
    return isRecent(event)
        ? state[(int) event & mask]
        : old.isEmpty() ? 0 : old.getOrDefault((int) event, 0);
  }
}
