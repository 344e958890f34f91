package org.reprise.trace.events;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a record of an events file is: {@code enum reprise_event_kind} of reprise_wire.h. Kinds from
 * {@link #COMM} on are no events; they explain those behind them, and {@link #AGAIN} stands for
 * one.
 */
public enum EventKind {
  NONE,
  SEND,
  POST_SEND,
  RECV,
  POST_RECV,
  MPROBE,
  MRECV,
  POST_MRECV,
  PROBE,
  COMPLETE,
  COLLECTIVE,
  POST_COLLECTIVE,
  CANCEL,
  FREE,
  POLLS,
  MATCHED,
  UNMATCHED,
  LOCAL,
  COMM,
  MEMBERS,
  PEERS,
  TIME,
  BYTES,
  THREAD,
  AGAIN,
  ASKED;

  private static final Set<EventKind> LINKED =
      EnumSet.of(MRECV, POST_MRECV, COMPLETE, CANCEL, FREE, MATCHED, UNMATCHED);
  private static final Set<EventKind> POSTS =
      EnumSet.of(POST_SEND, POST_RECV, POST_MRECV, POST_COLLECTIVE);

  /** Whether it names an earlier event instead of a communicator. */
  public boolean isLinked() {
    return LINKED.contains(this);
  }

  /** Whether it begins an operation that a COMPLETE ends. */
  public boolean isPost() {
    return POSTS.contains(this);
  }

  public boolean isCollective() {
    return this == COLLECTIVE || this == POST_COLLECTIVE;
  }

  /** Whether it sends a message. */
  public boolean isSend() {
    return this == SEND || this == POST_SEND;
  }

  /** Whether peer, tag and communicator are those of a message, or of messages asked for. */
  boolean hasMessage() {
    return isSend()
        || this == RECV
        || this == POST_RECV
        || this == MPROBE
        || this == PROBE
        || this == MATCHED;
  }
}
