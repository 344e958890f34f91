package org.reprise.ranks;

/**
 * A non-blocking collective operation of one rank. It is complete when the round is ready for its
 * member; what the round brings is taken when a call reports it, by the rank itself: reductions may
 * be functions of its program.
 */
final class PendingCollective extends Pending {
  final Member comm;
  final CollectiveCall call;
  private final Round round;
  private final Collective taker;
  private final long number;

  PendingCollective(
      Rank owner,
      long post,
      Member comm,
      CollectiveCall call,
      Round round,
      long number,
      Collective taker) {
    super(owner, post);
    this.comm = comm;
    this.call = call;
    this.round = round;
    this.number = number;
    this.taker = taker;
    this.received = Received.NOTHING;
  }

  /** Takes what the round brings and leaves it. */
  void finish() {
    try {
      taker.take(round);
    } catch (FabricError e) {
      failure = e;
    }
    if (round.leave()) {
      comm.context.forget(number);
    }
  }

  java.util.List<Integer> missing() {
    return round.missing(comm.place());
  }

  @Override
  String waitsFor() {
    return round.what(comm.place());
  }
}
