package org.reprise.trace.events;

/**
 * A bit of an event's flags, {@code enum reprise_event_flag} of reprise_wire.h; its bit is {@code 1
 * << ordinal()}.
 */
public enum EventFlag {
  ANY_SOURCE,
  ANY_TAG,
  SYNC,
  JOINED,
  POLL,
  CANCELLED,
  INTER,
  OVERTAKING;

  public int bit() {
    return 1 << ordinal();
  }
}
