package org.reprise.causality;

import org.reprise.trace.Counted;

/**
 * Something about the events of a run that limits what can be said of it: what, how often, and one
 * event with it.
 */
public record Notice(Kind kind, long count, int example) {
  /** What was noticed, and how often: {@code 2 receives that cannot be paired ...}. */
  public String counted() {
    return Counted.of(count, kind.singular, kind.plural);
  }

  /** What was noticed. */
  public enum Kind {
    /** A receive took a message whose send is not among the events: the sender's trace is short. */
    SEND_MISSING(
        "receive of a message whose send was not recorded",
        "receives of messages whose sends were not recorded"),
    /** A wildcard receive was freed or never completed: nobody knows what it took. */
    PAIRING_AMBIGUOUS(
        "receive that cannot be paired with a message for certain",
        "receives that cannot be paired with a message for certain"),
    /** Whether a cancel finds its send still there depends on timing. */
    SENDS_CANCELLED(
        "send that was cancelled, and might not have been",
        "sends that were cancelled, and might not have been"),
    /** Whether a cancel finds its receive still open depends on when a message comes. */
    RECEIVES_CANCELLED(
        "call of MPI_Cancel for a receive that a message might have reached",
        "calls of MPI_Cancel for receives that a message might have reached"),
    /** No two messages on a communicator with mpi_assert_allow_overtaking have an order. */
    OVERTAKING_ALLOWED(
        "message on a communicator that allows overtaking, which is not paired",
        "messages on communicators that allow overtaking, which are not paired"),
    /** Events of different ranks wait for each other in a circle: no run does that. */
    CONTRADICTION(
        "event left out because the ranks' traces contradict each other",
        "events left out because the ranks' traces contradict each other");

    private final String singular;
    private final String plural;

    Kind(String singular, String plural) {
      this.singular = singular;
      this.plural = plural;
    }
  }
}
