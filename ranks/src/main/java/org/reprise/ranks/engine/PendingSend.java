package org.reprise.ranks.engine;

import org.reprise.ranks.fabric.Received;

/** A send that is complete when its message is received, or was so at once. */
public final class PendingSend extends Pending {
  public final int dest;
  final int tag;

  public PendingSend(JobRank owner, long post, int dest, int tag) {
    super(owner, post);
    this.dest = dest;
    this.tag = tag;
  }

  public void complete() {
    received = Received.NOTHING;
    done = true;
  }

  @Override
  String waitsFor() {
    return "rank " + dest + " to receive, tag " + tag;
  }
}
