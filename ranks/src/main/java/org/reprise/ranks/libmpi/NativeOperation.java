package org.reprise.ranks.libmpi;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.Received;

/** A request of libmpi, with the native memory it works on and what is left to do at its end. */
final class NativeOperation implements Operation {
  /** What it is to do with its memory when it is complete. */
  enum Kind {
    SEND,
    RECEIVE,
    RECEIVE_OBJECTS,
    COLLECTIVE
  }

  final Kind kind;
  final NativeComm comm;
  final long request;

  /** Null of a send whose memory somebody else looks after. */
  final @Nullable MemorySegment memory;

  /** Where the elements of a receive go. */
  final @Nullable Payload room;

  /** Of a collective operation: hands its result over. */
  private @Nullable Runnable ending;

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

  static NativeOperation collective(NativeComm comm, long request, Runnable ending) {
    NativeOperation operation = new NativeOperation(Kind.COLLECTIVE, comm, request, null, null);
    operation.ending = ending;
    return operation;
  }

  void finish(Received outcome) {
    if (ending != null) {
      ending.run();
    }
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
