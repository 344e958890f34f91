package org.reprise.causality;

import java.util.Optional;
import org.reprise.causality.races.RaceScan;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Whether a receive or probe could have got a certain other message, and if not, why: the same test
 * as that of {@link RaceScan}, for one pair and in words. It is asked in a state of the run, which
 * is what the run comes to without the future of some outcome.
 */
public final class Alternatives {
  /** Why a receive or probe could not have got a message. */
  public sealed interface Obstacle {
    /** It asks for another source, tag or communicator. */
    record NotAccepted() implements Obstacle {}

    /** The message would not have been sent: its send follows the outcome. */
    record SentBecause(int send) implements Obstacle {}

    /** The receive or probe itself comes later than the state. */
    record NotPosted() implements Obstacle {}

    /** Another receive had taken it by then. */
    record Taken(int receive) implements Obstacle {}

    /** A receive that was posted before accepts it, and has nothing yet. */
    record PostedBefore(int receive) implements Obstacle {}

    /** An earlier message of the same source is accepted, and not taken yet. */
    record Overtakes(int earlier) implements Obstacle {}

    /** What became of a receive that bears on it is not known. */
    record Unknown(int receive) implements Obstacle {}
  }

  private final EventTable events;
  private final Pairing pairing;
  private final Futures futures;

  public Alternatives(Futures futures) {
    this.futures = futures;
    events = futures.graph().events();
    pairing = futures.graph().pairing();
  }

  /** What prevents a receive or probe from getting a message instead of its own; empty: nothing. */
  public Optional<Obstacle> instead(int receive, int message) {
    return obstacle(futures.of(receive), receive, message);
  }

  /** What prevents it in the state that is left without a future. */
  public Optional<Obstacle> obstacle(Futures.Future without, int receive, int message) {
    int sent = pairing.send(message);
    int rank = events.rank(receive);
    if (events.peer(sent) != rank || !accepts(receive, sent)) {
      return Optional.of(new Obstacle.NotAccepted());
    }
    if (without.holdsEntry(receive)) {
      return Optional.of(new Obstacle.NotPosted());
    }
    if (without.holdsEntry(sent)) {
      return Optional.of(new Obstacle.SentBecause(sent));
    }
    int taker = pairing.receive(message);
    if (taker >= 0 && !without.holdsMatch(taker)) {
      return Optional.of(new Obstacle.Taken(taker));
    }
    for (int earlier = events.first(rank); earlier < receive; earlier++) {
      if (Pairing.isReceive(events.kind(earlier)) && accepts(earlier, sent)) {
        if (pairing.isAmbiguous(earlier)) {
          return Optional.of(new Obstacle.Unknown(earlier));
        }
        if (without.holdsMatch(earlier) && !isWithdrawn(earlier, without)) {
          return Optional.of(new Obstacle.PostedBefore(earlier));
        }
      }
    }
    int sender = events.rank(sent);
    for (int before = events.first(sender); before < sent; before++) {
      int other = events.kind(before).isSend() ? pairing.message(before) : Pairing.NONE;
      if (other >= 0 && events.peer(before) == rank && accepts(receive, before)) {
        int took = pairing.receive(other);
        if (took < 0 || without.holdsMatch(took)) {
          return Optional.of(new Obstacle.Overtakes(before));
        }
      }
    }
    return Optional.empty();
  }

  /** Whether a receive that took nothing had been cancelled by then. */
  private boolean isWithdrawn(int receive, Futures.Future without) {
    if (!pairing.isCancelled(receive)) {
      return false;
    }
    for (int e = receive + 1; e <= events.link(receive); e++) {
      if (events.kind(e) == EventKind.CANCEL && events.link(e) == receive) {
        return !without.holdsReturn(e);
      }
    }
    return false;
  }

  /** Whether a receive or probe accepts a message, by what it asks for. */
  public boolean accepts(int receive, int sent) {
    return events.comm(receive) == events.comm(sent)
        && (events.is(receive, EventFlag.ANY_TAG) || events.tag(receive) == events.tag(sent))
        && (events.is(receive, EventFlag.ANY_SOURCE) || events.peer(receive) == events.rank(sent));
  }
}
