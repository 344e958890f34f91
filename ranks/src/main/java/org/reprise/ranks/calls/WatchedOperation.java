package org.reprise.ranks.calls;

import org.reprise.ranks.engine.Pending;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Received;

/** An operation that was begun where events are written, with the event that began it. */
final class WatchedOperation implements Operation {
  final Pending operation;

  /** Number of the event that began it; -1 if none did, since it is with nobody. */
  final long event;

  /** Whether its end was written. */
  boolean ended;

  WatchedOperation(Pending operation, long event) {
    this.operation = operation;
    this.event = event;
  }

  @Override
  public Received received() {
    return operation.received();
  }
}
