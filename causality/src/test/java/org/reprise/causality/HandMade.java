package org.reprise.causality;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventList;
import org.reprise.trace.events.RankGroup;

/** Events written down one by one. Each method returns the number of the event on its rank. */
final class HandMade {
  private final List<List<Event>> events = new ArrayList<>();
  private final List<Communicator> communicators = new ArrayList<>();

  HandMade(int ranks) {
    for (int rank = 0; rank < ranks; rank++) {
      events.add(new ArrayList<>());
    }
    communicators.add(Communicator.of(1, RankGroup.run(0, ranks, 1)));
  }

  /** Adds a communicator, named by the number returned. The world is 0. */
  int communicator(Communicator communicator) {
    communicators.add(communicator);
    return communicators.size() - 1;
  }

  int message(int rank, EventKind kind, int peer, int tag, EventFlag... flags) {
    return add(rank, kind, peer, tag, CollectiveFlow.NONE, 0, -1, List.of(), flags);
  }

  int messageOn(int comm, int rank, EventKind kind, int peer, int tag, EventFlag... flags) {
    return add(rank, kind, peer, tag, CollectiveFlow.NONE, comm, -1, List.of(), flags);
  }

  int linked(int rank, EventKind kind, int post, int peer, int tag, EventFlag... flags) {
    return add(rank, kind, peer, tag, CollectiveFlow.NONE, 0, post, List.of(), flags);
  }

  int failedPolls(int rank, int failed) {
    List<Event> own = events.get(rank);
    int number = own.size();
    EventKind kind = EventKind.POLLS;
    CollectiveFlow none = CollectiveFlow.NONE;
    own.add(
        new Event(
            number,
            kind,
            Set.of(),
            0,
            0,
            -1,
            -1,
            none,
            -1,
            -1,
            failed,
            number * 10L,
            5,
            0,
            List.of()));
    return number;
  }

  int collective(int rank, EventKind kind, CollectiveFlow flow, int root, Integer... sources) {
    return add(rank, kind, root, EventCursor.ANY, flow, 0, -1, List.of(sources));
  }

  int collectiveOn(int comm, int rank, CollectiveFlow flow) {
    return add(
        rank, EventKind.COLLECTIVE, EventCursor.ANY, EventCursor.ANY, flow, comm, -1, List.of());
  }

  int add(
      int rank,
      EventKind kind,
      int peer,
      int tag,
      CollectiveFlow flow,
      int comm,
      long post,
      List<Integer> sources,
      EventFlag... flags) {
    List<Event> own = events.get(rank);
    int number = own.size();
    own.add(
        new Event(
            number,
            kind,
            Set.of(flags),
            0,
            0,
            peer,
            tag,
            flow,
            comm,
            post,
            0,
            number * 10L,
            5,
            0,
            sources));
    return number;
  }

  /** A call that orders nothing, from one time to another. */
  void local(int rank, long start, long end) {
    List<Event> own = events.get(rank);
    own.add(
        new Event(
            own.size(),
            EventKind.LOCAL,
            Set.of(),
            0,
            0,
            -1,
            -1,
            CollectiveFlow.NONE,
            0,
            -1,
            0,
            start,
            end - start,
            0,
            List.of()));
  }

  int size(int rank) {
    return events.get(rank).size();
  }

  Event event(int rank, int number) {
    return events.get(rank).get(number);
  }

  EventGraph graph() {
    return graph(EventGraph.clockBytes());
  }

  EventGraph graph(long clockBytes) {
    EventTable.Builder table = new EventTable.Builder(events.size());
    for (int rank = 0; rank < events.size(); rank++) {
      table.add(new EventList(rank, events.size(), communicators, events.get(rank)));
    }
    return EventGraph.of(table.build(), clockBytes, Progress.NONE);
  }
}
