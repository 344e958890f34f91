package org.reprise.causality.live;

import org.jspecify.annotations.Nullable;
import org.reprise.trace.events.EventKind;

/** An event that was read and not passed yet, or a post that has no end yet. */
final class Call {
  final EventKind kind;
  final int number;

  /** The message that it sends, or that the send which it completes has sent. */
  @Nullable Message message;

  /** The receive or probe that it is, or that it ends. */
  @Nullable Receive receive;

  /** The collective that it takes part in, or that it completes its part of. */
  @Nullable Gathering gathering;

  /** Its part in it. */
  Gathering.@Nullable Part part;

  Call(EventKind kind, int number) {
    this.kind = kind;
    this.number = number;
  }
}
