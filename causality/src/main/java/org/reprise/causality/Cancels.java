package org.reprise.causality;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Receives for which MPI_Cancel was called, where a message of the run might have come first, or
 * last: no message race shows that, and the program sees it.
 */
final class Cancels {
  /** What a receive asks for. */
  private record Asked(int rank, int comm, int source, int tag) {}

  private final EventTable events;
  private final Pairing pairing;

  /** By what is asked for: the last return of a receive that got such a message. */
  private final Map<Asked, Integer> lastTold = new HashMap<>();

  private Cancels(EventTable events, Pairing pairing) {
    this.events = events;
    this.pairing = pairing;
  }

  static Optional<Notice> of(EventTable events, Pairing pairing) {
    return new Cancels(events, pairing).notice();
  }

  private Optional<Notice> notice() {
    long count = 0;
    int example = EventTable.NONE;
    for (int e = 0; e < events.size(); e++) {
      int post = events.kind(e) == EventKind.CANCEL ? events.link(e) : EventTable.NONE;
      if (post >= 0 && events.kind(post) == EventKind.POST_RECV && mightBeReached(post)) {
        example = count++ == 0 ? e : example;
      }
    }
    return count == 0
        ? Optional.empty()
        : Optional.of(new Notice(Notice.Kind.RECEIVES_CANCELLED, count, example));
  }

  /** Whether a message that the receive accepts was still to be taken when it was posted. */
  private boolean mightBeReached(int post) {
    Asked asked =
        new Asked(
            events.rank(post),
            events.comm(post),
            events.is(post, EventFlag.ANY_SOURCE) ? EventTable.NONE : events.peer(post),
            events.is(post, EventFlag.ANY_TAG) ? EventTable.NONE : events.tag(post));
    return lastTold.computeIfAbsent(asked, this::lastTold) > post;
  }

  private int lastTold(Asked asked) {
    int last = EventTable.NONE;
    for (int message = 0; message < pairing.messages(); message++) {
      int send = pairing.send(message);
      if (events.peer(send) == asked.rank
          && events.comm(send) == asked.comm
          && (asked.source == EventTable.NONE || asked.source == events.rank(send))
          && (asked.tag == EventTable.NONE || asked.tag == events.tag(send))) {
        int receive = pairing.receive(message);
        int told = receive < 0 ? Integer.MAX_VALUE : MatchOrder.completion(events, receive);
        last = Math.max(last, told);
      }
    }
    return last;
  }
}
