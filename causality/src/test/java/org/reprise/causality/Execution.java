package org.reprise.causality;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventList;
import org.reprise.trace.events.RankGroup;

/** One way a small program went, as the events that a recorder would have written of it. */
final class Execution {
  final Map<Integer, Integer> outcomes;
  final EventGraph graph;
  final List<List<Machine.Call>> calls;
  private final Map<Integer, Integer> eventOfReceive = new TreeMap<>();
  private final Map<Integer, Integer> eventOfMessage = new TreeMap<>();
  private final Map<Integer, Integer> receiveOfEvent = new HashMap<>();
  private final Map<Integer, Integer> messageOfEvent = new HashMap<>();

  Execution(Machine.State state) {
    this(state, EventGraph.clockBytes());
  }

  Execution(Machine.State state, long clockBytes) {
    outcomes = state.outcomes();
    calls = state.calls;
    int ranks = calls.size();
    Map<Integer, Integer> tags = new HashMap<>();
    for (List<Machine.Call> list : calls) {
      for (Machine.Call call : list) {
        if (call.op() == Step.Op.SEND || call.op() == Step.Op.ISEND) {
          tags.put(call.id(), call.tag());
        }
      }
    }
    Communicator world = Communicator.of(1, RankGroup.run(0, ranks, 1));
    EventTable.Builder table = new EventTable.Builder(ranks);
    int base = 0;
    for (int rank = 0; rank < ranks; rank++) {
      List<Event> events = new ArrayList<>();
      for (Machine.Call call : calls.get(rank)) {
        name(call, base + events.size());
        events.add(event(events.size(), call, calls.get(rank), tags));
      }
      addOpen(calls.get(rank), events, tags);
      table.add(new EventList(rank, ranks, List.of(world), events));
      base += events.size();
    }
    graph = EventGraph.of(table.build(), clockBytes, Progress.NONE);
  }

  private void name(Machine.Call call, int event) {
    switch (call.op()) {
      case SEND, ISEND -> {
        eventOfMessage.put(call.id(), event);
        messageOfEvent.put(event, call.id());
      }
      case RECV, IRECV, PROBE -> {
        eventOfReceive.put(call.id(), event);
        receiveOfEvent.put(event, call.id());
      }
      default -> {}
    }
  }

  private Event event(
      int number, Machine.Call call, List<Machine.Call> all, Map<Integer, Integer> tags) {
    Set<EventFlag> flags = new java.util.HashSet<>();
    if (call.askedPeer() == Step.ANY) {
      flags.add(EventFlag.ANY_SOURCE);
    }
    if (call.askedTag() == Step.ANY) {
      flags.add(EventFlag.ANY_TAG);
    }
    if (call.sync() && call.op() != Step.Op.WAIT) {
      flags.add(EventFlag.SYNC);
    }
    return switch (call.op()) {
      case SEND -> make(number, EventKind.SEND, flags, call.peer(), call.tag(), -1);
      case ISEND -> make(number, EventKind.POST_SEND, flags, call.peer(), call.tag(), -1);
      case RECV -> taking(number, EventKind.RECV, flags, of(outcomes, call.id()), -1, tags);
      case IRECV -> make(number, EventKind.POST_RECV, flags, call.askedPeer(), call.askedTag(), -1);
      case PROBE -> taking(number, EventKind.PROBE, flags, call.post(), -1, tags);
      case WAIT -> {
        Machine.Call post = all.get(call.post());
        yield post.op() == Step.Op.IRECV
            ? taking(number, EventKind.COMPLETE, flags, of(outcomes, post.id()), call.post(), tags)
            : make(number, EventKind.COMPLETE, flags, -1, -1, call.post());
      }
      case BARRIER -> collective(number, CollectiveFlow.ALL, -1);
      case BCAST -> collective(number, CollectiveFlow.FROM_ROOT, call.peer());
      default -> collective(number, CollectiveFlow.TO_ROOT, call.peer());
    };
  }

  private static Event taking(
      int number,
      EventKind kind,
      Set<EventFlag> flags,
      int message,
      int post,
      Map<Integer, Integer> tags) {
    return make(number, kind, flags, message / 100, of(tags, message), post);
  }

  private static Event make(
      int number, EventKind kind, Set<EventFlag> flags, int peer, int tag, int post) {
    return new Event(
        number,
        kind,
        flags,
        0,
        0,
        peer,
        tag,
        CollectiveFlow.NONE,
        0,
        post,
        0,
        number * 10L,
        5,
        0,
        List.of());
  }

  private static Event collective(int number, CollectiveFlow flow, int root) {
    return new Event(
        number,
        EventKind.COLLECTIVE,
        Set.of(),
        0,
        0,
        root,
        EventCursor.ANY,
        flow,
        0,
        -1,
        0,
        number * 10L,
        5,
        0,
        List.of());
  }

  /** What a recorder finds out at MPI_Finalize about receives that nobody waited for. */
  private void addOpen(List<Machine.Call> all, List<Event> events, Map<Integer, Integer> tags) {
    for (int i = 0; i < all.size(); i++) {
      int post = i;
      Machine.Call call = all.get(i);
      boolean waited = all.stream().anyMatch(c -> c.op() == Step.Op.WAIT && c.post() == post);
      if (call.op() == Step.Op.IRECV && !waited) {
        int message = of(outcomes, call.id());
        events.add(
            message == Machine.NONE
                ? make(events.size(), EventKind.UNMATCHED, Set.of(), -1, -1, post)
                : taking(events.size(), EventKind.MATCHED, Set.of(), message, post, tags));
      }
    }
  }

  /** The value of a key that is there. */
  static int of(Map<Integer, Integer> map, int key) {
    return Objects.requireNonNull(map.get(key));
  }

  int event(int rank, int call) {
    return graph.events().event(rank, call);
  }

  int receiveEvent(int receive) {
    return of(eventOfReceive, receive);
  }

  int messageEvent(int message) {
    return of(eventOfMessage, message);
  }

  int receiveOf(int event) {
    return of(receiveOfEvent, event);
  }

  /** The model's name of a message of the pairing; NONE for none. */
  int messageName(int message) {
    return message < 0 ? Machine.NONE : of(messageOfEvent, graph.pairing().send(message));
  }

  /** Races as pairs of the model's names. */
  Set<List<Integer>> races(RaceList races) {
    Set<List<Integer>> pairs = new java.util.TreeSet<>(Execution::compare);
    for (int i = 0; i < races.size(); i++) {
      int[] shown = races.shown(i);
      if (shown.length != races.alternatives(i)) {
        throw new AssertionError(shown.length + " shown of " + races.alternatives(i));
      }
      for (int message : shown) {
        pairs.add(List.of(receiveOf(races.receive(i)), messageName(message)));
      }
    }
    return pairs;
  }

  static int compare(List<Integer> a, List<Integer> b) {
    return a.toString().compareTo(b.toString());
  }
}
