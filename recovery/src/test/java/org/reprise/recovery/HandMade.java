package org.reprise.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventList;
import org.reprise.trace.events.RankGroup;

/** Events written down one by one, with their times. Each method returns the event's number. */
final class HandMade {
  private final List<List<Event>> events = new ArrayList<>();

  HandMade(int ranks) {
    for (int rank = 0; rank < ranks; rank++) {
      events.add(new ArrayList<>());
    }
  }

  int local(int rank, long at) {
    return add(rank, EventKind.LOCAL, -1, 0, -1, at, at);
  }

  int send(int rank, int to, long at) {
    return add(rank, EventKind.SEND, to, 0, -1, at, at);
  }

  int send(int rank, int to, int tag, int bytes, long at) {
    return add(rank, EventKind.SEND, to, tag, CollectiveFlow.NONE, -1, bytes, at, at, Set.of());
  }

  int receive(int rank, int from, long start, long end) {
    return add(rank, EventKind.RECV, from, 0, -1, start, end);
  }

  int add(
      int rank,
      EventKind kind,
      int peer,
      int tag,
      long post,
      long start,
      long end,
      EventFlag... flags) {
    return add(rank, kind, peer, tag, CollectiveFlow.NONE, post, 0, start, end, Set.of(flags));
  }

  int collective(int rank, CollectiveFlow flow, int root, long start, long end) {
    return add(rank, EventKind.COLLECTIVE, root, -1, flow, -1, 0, start, end, Set.of());
  }

  private int add(
      int rank,
      EventKind kind,
      int peer,
      int tag,
      CollectiveFlow flow,
      long post,
      int bytes,
      long start,
      long end,
      Set<EventFlag> flags) {
    List<Event> own = events.get(rank);
    int number = own.size();
    own.add(
        new Event(
            number,
            kind,
            flags,
            0,
            0,
            peer,
            tag,
            flow,
            0,
            post,
            bytes,
            start,
            end - start,
            0,
            List.of()));
    return number;
  }

  EventGraph graph() {
    Communicator world = Communicator.of(1, RankGroup.run(0, events.size(), 1));
    EventTable.Builder table = new EventTable.Builder(events.size());
    for (int rank = 0; rank < events.size(); rank++) {
      table.add(new EventList(rank, events.size(), List.of(world), events.get(rank)));
    }
    return EventGraph.of(table.build());
  }

  Timeline timeline() {
    return Timeline.of(graph());
  }
}
