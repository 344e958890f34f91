package org.reprise.ranks;

import org.jspecify.annotations.Nullable;

/** An operation as the engine keeps it: one that a later call completes. */
abstract sealed class Pending implements Operation
    permits PendingSend, PendingReceive, PendingCollective {
  final Rank owner;

  /** Number of the post, as rank files count them; -1 of a blocking call's operation. */
  final long post;

  /** Set last: whoever sees it sees the rest. */
  volatile boolean done;

  @Nullable Received received;
  @Nullable FabricError failure;

  /** Whether a completion call has reported it. */
  boolean reported;

  Pending(Rank owner, long post) {
    this.owner = owner;
    this.post = post;
  }

  @Override
  public Received received() {
    if (received == null) {
      throw new FabricError(FabricError.Kind.REQUEST, "the operation is not complete");
    }
    return received;
  }

  /** World ranks whose doing could complete it, in words for the user. */
  abstract String waitsFor();
}
