package org.reprise.causality;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.reprise.causality.races.Races;
import org.reprise.ranks.Happening;
import org.reprise.ranks.Happening.MessageId;
import org.reprise.ranks.Happening.ReceiveId;
import org.reprise.ranks.Laboratory;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventList;
import org.reprise.trace.events.RankGroup;

/**
 * What an engine's laboratory saw of an execution that came to its end, as the events that a
 * recorder would have written of it. All of it is on one communicator. Receives, probes and
 * messages have the names that {@link Machine} gives them.
 */
final class Observed {
  final EventGraph graph;

  /** What each receive took and each probe saw; NONE for a receive that took nothing. */
  final Map<Integer, Integer> outcomes = new TreeMap<>();

  /** Whether each poll succeeded, by {@code 100 * rank + number}. */
  final Map<Integer, Boolean> polls = new HashMap<>();

  /** How many calls each rank made. */
  final int[] calls;

  /** Cuts that the engine passed through, in their order. */
  final List<Cut> passed = new ArrayList<>();

  /** What the probes saw. */
  final Set<Laboratory.Sight> sights = new HashSet<>();

  private final Laboratory.Observation observation;
  private final List<Traced> ranks = new ArrayList<>();
  private final Map<MessageId, Happening.Sent> sent = new HashMap<>();

  /** What one rank did. */
  private static final class Traced {
    final List<Event> events = new ArrayList<>();
    final Map<ReceiveId, Integer> receives = new HashMap<>();
    final Map<Integer, ReceiveId> receiveAt = new HashMap<>();
    final Map<Integer, Integer> names = new TreeMap<>();
    final Map<Integer, Integer> probeAt = new HashMap<>();
    final Map<Integer, MessageId> messages = new HashMap<>();
    final Map<Long, Integer> posts = new HashMap<>();
    final Set<ReceiveId> open = new java.util.LinkedHashSet<>();
    MpiCall call = MpiCall.INIT;
    long nextPost;
    int nextPoll;
    int moment;
  }

  Observed(int count, Laboratory.Observation observation) {
    this.observation = observation;
    for (int rank = 0; rank < count; rank++) {
      ranks.add(new Traced());
    }
    for (Happening happening : observation.happenings()) {
      if (happening instanceof Happening.Sent message) {
        sent.put(message.message(), message);
      }
    }
    observation.happenings().forEach(this::add);
    calls = ranks.stream().mapToInt(rank -> rank.events.size()).toArray();
    Communicator world = Communicator.of(1, RankGroup.run(0, count, 1));
    List<EventList> lists = new ArrayList<>();
    for (int rank = 0; rank < count; rank++) {
      end(ranks.get(rank));
      lists.add(new EventList(rank, count, List.of(world), ranks.get(rank).events));
    }
    graph = EventGraph.of(count, lists);
  }

  private void add(Happening happening) {
    Traced rank = ranks.get(happening.rank());
    switch (happening) {
      case Happening.Called(_, MpiCall call) -> {
        // Everything the rank called before has returned; of the others that is not known.
        rank.call = call;
        rank.moment += rank.moment % 2;
        passed.add(cut());
        rank.moment++;
        passed.add(cut());
      }
      case Happening.Sent(_, MessageId message, int dest, int tag, _, boolean synchronous) -> {
        boolean post = rank.call == MpiCall.ISEND || rank.call == MpiCall.ISSEND;
        if (post) {
          rank.posts.put(rank.nextPost++, rank.events.size());
        }
        rank.messages.put(rank.events.size(), message);
        Set<EventFlag> flags = EnumSet.noneOf(EventFlag.class);
        if (synchronous) {
          flags.add(EventFlag.SYNC);
        }
        write(rank, post ? EventKind.POST_SEND : EventKind.SEND, flags, dest, tag, -1);
      }
      case Happening.Posted(_, ReceiveId receive, int source, int tag, _) -> {
        rank.receives.put(receive, rank.events.size());
        rank.receiveAt.put(rank.events.size(), receive);
        MessageId message = observation.matches().get(receive);
        name(rank, receive.rank(), message == null ? Machine.NONE : EngineProgram.name(message));
        if (rank.call == MpiCall.IRECV) {
          rank.nextPost++;
          rank.open.add(receive);
          int peer = source == Fabric.ANY_SOURCE ? EventCursor.ANY : source;
          int asked = tag == Fabric.ANY_TAG ? EventCursor.ANY : tag;
          write(rank, EventKind.POST_RECV, asked(source, tag), peer, asked, -1);
        } else {
          take(rank, EventKind.RECV, asked(source, tag), Objects.requireNonNull(message), -1);
        }
      }
      case Happening.Probed(_, MessageId message, int source, int tag, _) -> {
        name(rank, happening.rank(), EngineProgram.name(message));
        sights.add(new Laboratory.Sight(happening.rank(), rank.probeAt.size(), message));
        rank.probeAt.put(rank.events.size(), rank.probeAt.size());
        Set<EventFlag> flags = asked(source, tag);
        flags.addAll(succeeded(rank, happening.rank()));
        take(rank, EventKind.PROBE, flags, message, -1);
      }
      case Happening.ReceiveCompleted(_, ReceiveId receive) -> {
        if (rank.open.remove(receive)) {
          int post = Objects.requireNonNull(rank.receives.get(receive));
          Set<EventFlag> flags = succeeded(rank, happening.rank());
          take(rank, EventKind.COMPLETE, flags, taken(receive), post);
        }
      }
      case Happening.SendCompleted(_, long post) ->
          write(
              rank,
              EventKind.COMPLETE,
              succeeded(rank, happening.rank()),
              EventCursor.ANY,
              EventCursor.ANY,
              Objects.requireNonNull(rank.posts.get(post)));
      case Happening.Entered entered -> collective(rank, entered);
      case Happening.Matched _, Happening.Left _ -> {}
      case Happening.PollFailed _ -> {
        if (rank.call == MpiCall.IPROBE) {
          name(rank, happening.rank(), Machine.NONE);
        }
        polls.put(100 * happening.rank() + rank.nextPoll++, false);
        write(rank, EventKind.POLLS, Set.of(), EventCursor.ANY, EventCursor.ANY, -1);
      }
    }
  }

  /** If the rank's call is a poll, it has succeeded. */
  private Set<EventFlag> succeeded(Traced rank, int number) {
    if (rank.call != MpiCall.IPROBE && rank.call != MpiCall.TEST) {
      return Set.of();
    }
    polls.put(100 * number + rank.nextPoll++, true);
    return Set.of(EventFlag.POLL);
  }

  private Cut cut() {
    return new Cut(ranks.stream().mapToInt(rank -> rank.moment).toArray());
  }

  private MessageId taken(ReceiveId receive) {
    return Objects.requireNonNull(observation.matches().get(receive));
  }

  private void name(Traced rank, int number, int outcome) {
    int name = 100 * number + rank.names.size();
    rank.names.put(rank.events.size(), name);
    outcomes.put(name, outcome);
  }

  private static Set<EventFlag> asked(int source, int tag) {
    Set<EventFlag> flags = EnumSet.noneOf(EventFlag.class);
    if (source == Fabric.ANY_SOURCE) {
      flags.add(EventFlag.ANY_SOURCE);
    }
    if (tag == Fabric.ANY_TAG) {
      flags.add(EventFlag.ANY_TAG);
    }
    return flags;
  }

  private void take(Traced rank, EventKind kind, Set<EventFlag> flags, MessageId message, int of) {
    write(rank, kind, flags, message.sender(), Objects.requireNonNull(sent.get(message)).tag(), of);
  }

  private static void write(
      Traced rank, EventKind kind, Set<EventFlag> flags, int peer, int tag, int post) {
    write(rank, kind, flags, peer, tag, CollectiveFlow.NONE, post);
  }

  private static void write(
      Traced rank,
      EventKind kind,
      Set<EventFlag> flags,
      int peer,
      int tag,
      CollectiveFlow flow,
      int post) {
    int number = rank.events.size();
    rank.events.add(
        new Event(number, kind, flags, 0, 0, peer, tag, flow, 0, post, 0, number, 1, 0, List.of()));
  }

  private static void collective(Traced rank, Happening.Entered entered) {
    CollectiveFlow flow =
        switch (entered.kind()) {
          case BARRIER, ALLGATHER, ALLTOALL, ALLREDUCE, REDUCE_SCATTER -> CollectiveFlow.ALL;
          case BCAST, SCATTER -> CollectiveFlow.FROM_ROOT;
          case GATHER, REDUCE -> CollectiveFlow.TO_ROOT;
          case SCAN, EXSCAN -> throw new IllegalStateException("no program here scans");
        };
    int root = flow == CollectiveFlow.ALL ? EventCursor.ANY : entered.root();
    write(rank, EventKind.COLLECTIVE, Set.of(), root, EventCursor.ANY, flow, -1);
  }

  /** What a recorder finds out at the end about receives that nobody waited for. */
  private void end(Traced rank) {
    for (ReceiveId receive : rank.open) {
      int post = Objects.requireNonNull(rank.receives.get(receive));
      if (observation.matches().containsKey(receive)) {
        take(rank, EventKind.MATCHED, Set.of(), taken(receive), post);
      } else {
        write(rank, EventKind.UNMATCHED, Set.of(), EventCursor.ANY, EventCursor.ANY, post);
      }
    }
  }

  /** Whether every receive was waited for. */
  boolean waitedForAll() {
    return ranks.stream().allMatch(rank -> rank.open.isEmpty());
  }

  private Traced of(int event) {
    return ranks.get(graph.events().rank(event));
  }

  /** The name of the receive or probe that is this event. */
  int receiveName(int event) {
    return Objects.requireNonNull(of(event).names.get(graph.events().number(event)));
  }

  /** The event of a receive. */
  int event(ReceiveId receive) {
    int number = Objects.requireNonNull(ranks.get(receive.rank()).receives.get(receive));
    return graph.events().event(receive.rank(), number);
  }

  /** The message that was sent by this event. */
  MessageId message(int event) {
    return Objects.requireNonNull(of(event).messages.get(graph.events().number(event)));
  }

  /**
   * Pairs of receives and messages that they could have taken instead, and of probes and messages
   * that they could have seen instead.
   */
  Laboratory.Possible races() {
    RaceList races = RaceList.of(graph, 100);
    Set<Laboratory.Match> pairs = new HashSet<>();
    Set<Laboratory.Sight> seen = new HashSet<>();
    for (int i = 0; i < races.size(); i++) {
      int event = races.receive(i);
      ReceiveId receive = of(event).receiveAt.get(graph.events().number(event));
      for (int message : races.shown(i)) {
        MessageId sentBy = message(graph.pairing().send(message));
        if (receive != null) {
          pairs.add(new Laboratory.Match(receive, sentBy));
        } else {
          int probe = Objects.requireNonNull(of(event).probeAt.get(graph.events().number(event)));
          seen.add(new Laboratory.Sight(graph.events().rank(event), probe, sentBy));
        }
      }
    }
    return new Laboratory.Possible(pairs, seen);
  }

  /** The names of the receives and probes that asked for any source, and got something. */
  List<Integer> wild() {
    List<Integer> wild = new ArrayList<>();
    for (Traced rank : ranks) {
      rank.names.forEach(
          (event, name) -> {
            boolean any = rank.events.get(event).flags().contains(EventFlag.ANY_SOURCE);
            if (any && !Objects.equals(outcomes.get(name), Machine.NONE)) {
              wild.add(name);
            }
          });
    }
    return wild;
  }

  /** The names of the receives and probes that a replay must force. */
  Set<Integer> controlSet() {
    Races control = Races.controlSet(graph);
    Set<Integer> names = new TreeSet<>();
    control.receives().forEach(receive -> names.add(receiveName(receive)));
    return names;
  }
}
