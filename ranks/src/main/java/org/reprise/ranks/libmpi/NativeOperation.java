package org.reprise.ranks.libmpi;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.Operation;
import org.reprise.ranks.Payload;
import org.reprise.ranks.Received;

/** A request of libmpi and the native memory it works on. */
final class NativeOperation implements Operation {
  /** What it is to do with its memory when it is complete. */
  enum Kind {
    SEND,
    RECEIVE,
    RECEIVE_OBJECTS
  }

  final Kind kind;
  final NativeComm comm;
  final long request;

  /** Null of a send whose memory somebody else looks after. */
  final @Nullable MemorySegment memory;

  /** Where the elements of a receive go. */
  final @Nullable Payload room;

  private @Nullable Received received;

  NativeOperation(
      Kind kind,
      NativeComm comm,
      long request,
      @Nullable MemorySegment memory,
      @Nullable Payload room) {
    this.kind = kind;
    this.comm = comm;
    this.request = request;
    this.memory = memory;
    this.room = room;
  }

  void finish(Received outcome) {
    received = outcome;
  }

  boolean isFinished() {
    return received != null;
  }

  @Override
  public Received received() {
    return Objects.requireNonNull(received, "not completed yet");
  }
}
