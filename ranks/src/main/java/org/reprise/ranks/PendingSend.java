package org.reprise.ranks;

/** A send that is complete when its message is received, or was so at once. */
final class PendingSend extends Pending {
  final int dest;
  final int tag;

  PendingSend(Rank owner, long post, int dest, int tag) {
    super(owner, post);
    this.dest = dest;
    this.tag = tag;
  }

  void complete() {
    received = Received.NOTHING;
    done = true;
  }

  @Override
  String waitsFor() {
    return "rank " + dest + " to receive, tag " + tag;
  }
}
