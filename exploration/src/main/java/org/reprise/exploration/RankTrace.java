package org.reprise.exploration;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/**
 * What one rank did in an execution, whether or not it came to the end of its program.
 *
 * @param communicators as its events number them
 * @param order the outcomes of its calls and posts
 */
public record RankTrace(List<Communicator> communicators, List<Event> events, RankPlan order) {
  /** A rank that left nothing. */
  public static final RankTrace NONE = new RankTrace(List.of(), List.of(), RankPlan.FREE);

  public RankTrace {
    communicators = List.copyOf(communicators);
    events = List.copyOf(events);
  }

  /** All that a cursor has. */
  public static RankTrace of(EventCursor cursor, RankPlan order) {
    List<Event> events = new ArrayList<>();
    while (cursor.advance()) {
      events.add(Event.at(cursor));
    }
    List<Communicator> communicators = new ArrayList<>();
    for (int i = 0; i < cursor.communicators(); i++) {
      communicators.add(cursor.communicator(i));
    }
    return new RankTrace(communicators, events, order);
  }

  /**
   * The same with the ends of all receives that were open when the rank stopped. A rank that comes
   * to MPI_Finalize writes them itself; of one that was ended in the middle its order says which of
   * them had taken a message, and the others had not.
   *
   * @param numbering says which events take post numbers
   */
  RankTrace closed(CallNumbering numbering) {
    Set<Long> ended = new HashSet<>();
    for (Event event : events) {
      if (event.kind() == EventKind.COMPLETE
          || event.kind() == EventKind.MATCHED
          || event.kind() == EventKind.UNMATCHED) {
        ended.add(event.post());
      }
    }
    List<Event> all = new ArrayList<>(events);
    long post = 0;
    for (Event event : events) {
      boolean joined = event.flags().contains(EventFlag.JOINED);
      if (!numbering.takesPost(event.call(), event.kind(), joined)) {
        continue;
      }
      Outcome outcome = order.posts().get(post);
      post++;
      if (event.kind() == EventKind.POST_RECV && !ended.contains(event.number())) {
        end(event, outcome, all);
      }
    }
    return all.size() == events.size() ? this : new RankTrace(communicators, all, order);
  }

  private void end(
      Event receive, @org.jspecify.annotations.Nullable Outcome outcome, List<Event> into) {
    boolean wild =
        receive.flags().contains(EventFlag.ANY_SOURCE)
            || receive.flags().contains(EventFlag.ANY_TAG);
    if (!wild) {
      // Messages of one source and tag come in order: whether it has one follows from the sends.
      return;
    }
    if (outcome instanceof Outcome.Post(_, int source, var tag)) {
      int peer = communicators.get(receive.comm()).peers().world(source);
      into.add(end(into.size(), EventKind.MATCHED, receive, peer, tag.orElse(receive.tag())));
    } else {
      into.add(end(into.size(), EventKind.UNMATCHED, receive, EventCursor.ANY, EventCursor.ANY));
    }
  }

  private static Event end(long number, EventKind kind, Event receive, int peer, int tag) {
    return new Event(
        number,
        kind,
        EnumSet.noneOf(EventFlag.class),
        receive.call(),
        receive.site(),
        peer,
        tag,
        CollectiveFlow.NONE,
        receive.comm(),
        receive.number(),
        0,
        receive.startNanos(),
        0,
        0,
        List.of());
  }

  /** What it had done after so many calls; its open receives are to be closed anew. */
  RankTrace upTo(int calls, RankPlan then) {
    return new RankTrace(communicators, events.subList(0, calls), then);
  }
}
