package org.reprise.ranks.engine;

import org.jspecify.annotations.Nullable;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Received;

/** An operation as the engine keeps it: one that a later call completes. */
public abstract sealed class Pending implements Operation
    permits PendingSend, PendingReceive, PendingCollective {
  public final JobRank owner;

  /** Number of the post, as rank files count them; -1 of a blocking call's operation. */
  public final long post;

  /** Set last: whoever sees it sees the rest. */
  public volatile boolean done;

  @Nullable public Received received;
  @Nullable public FabricError failure;

  /** Whether a completion call has reported it. */
  public boolean reported;

  Pending(JobRank owner, long post) {
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
