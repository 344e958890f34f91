package org.reprise.ranks.engine;

import java.util.List;
import java.util.function.Consumer;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.Received;

/**
 * A non-blocking collective operation of one rank. It is complete when the round is ready for its
 * member; what the round brings is taken when a call reports it, by the rank itself: reductions may
 * be functions of its program.
 */
public final class PendingCollective extends Pending {
  public final Member comm;
  public final CollectiveCall call;
  private final Round round;
  private final Consumer<Round> taker;
  private final long number;

  public PendingCollective(
      JobRank owner,
      long post,
      Member comm,
      CollectiveCall call,
      Round round,
      long number,
      Consumer<Round> taker) {
    super(owner, post);
    this.comm = comm;
    this.call = call;
    this.round = round;
    this.number = number;
    this.taker = taker;
    this.received = Received.NOTHING;
  }

  /** Takes what the round brings and leaves it. */
  public void finish() {
    try {
      taker.accept(round);
    } catch (FabricError e) {
      failure = e;
    }
    if (round.leave()) {
      comm.context.forget(number);
    }
  }

  List<Integer> missing() {
    return round.missing(comm.place());
  }

  @Override
  String waitsFor() {
    return round.what(comm.place());
  }
}
