package org.reprise.viewer.picture;

import java.util.Locale;
import org.reprise.causality.EventTable;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * What a rank does during a call. Between its calls it computes, which is no state of its own: it
 * is what is left. The later of two states hides the earlier where calls share their time.
 */
public enum State {
  /** In a call that waits for nobody, or for little: a send, a post, a local call. */
  CALLING,
  POLLING,
  COLLECTIVE,
  WAITING,
  RECEIVING;

  public static final int COUNT = values().length;

  public static State of(EventTable events, int event) {
    EventKind kind = events.kind(event);
    return switch (kind) {
      case RECV, MPROBE, MRECV -> RECEIVING;
      case PROBE -> events.is(event, EventFlag.POLL) ? POLLING : RECEIVING;
      case COMPLETE -> events.is(event, EventFlag.POLL) ? POLLING : WAITING;
      case POLLS -> POLLING;
      case COLLECTIVE -> COLLECTIVE;
      default -> CALLING;
    };
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
