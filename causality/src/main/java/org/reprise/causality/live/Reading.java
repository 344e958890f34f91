package org.reprise.causality.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.reprise.causality.Pairing;
import org.reprise.trace.events.CommunicatorTable;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Takes events as they come, those of each rank in their order, and settles which receive took
 * which message as soon as nothing can change that: {@link Pairing} without the future.
 */
final class Reading {
  /** Is told what was read and settled. */
  interface Listener {
    void read(int rank, Call call);

    void posted(Receive receive);

    void settled(Receive receive);
  }

  /** What of a communicator, which ranks number differently, one rank has met. */
  private static final class Met {
    private int[] numbers = new int[4];
    private int count;
  }

  private final Listener listener;
  private final CommunicatorTable communicators = new CommunicatorTable();
  private final LiveRank[] ranks;
  private final Met[] met;
  private final Map<Long, Postings>[] postings;
  private final Map<LaneKey, Lane> lanes = new HashMap<>();

  /** By communicator and rank: how many collectives the rank began. */
  private final Map<Long, Integer> collectives = new HashMap<>();

  private final Map<Instance, Gathering> gatherings = new HashMap<>();
  private final Set<LiveRaces.Limit> limits = EnumSet.noneOf(LiveRaces.Limit.class);
  private boolean anySynchronous;
  private boolean finished;

  private record LaneKey(int source, int destination, int comm, int tag) {}

  private record Instance(int comm, int number) {}

  @SuppressWarnings({"unchecked", "rawtypes"})
  Reading(LiveRank[] ranks, Listener listener) {
    this.ranks = ranks;
    this.listener = listener;
    met = new Met[ranks.length];
    postings = new Map[ranks.length];
    Arrays.setAll(met, _ -> new Met());
    Arrays.setAll(postings, _ -> new HashMap<>());
  }

  boolean anySynchronous() {
    return anySynchronous;
  }

  Set<LiveRaces.Limit> limits() {
    return limits;
  }

  CommunicatorTable communicators() {
    return communicators;
  }

  Iterable<Gathering> gatherings() {
    return gatherings.values();
  }

  Iterable<Lane> lanes() {
    return lanes.values();
  }

  /** The receives of a rank on a communicator. */
  Postings postings(int rank, int comm) {
    return postings[rank].computeIfAbsent((long) comm, _ -> new Postings());
  }

  /** Messages to a rank on a communicator that nobody is known to have taken. */
  List<Message> untaken(int rank, int comm) {
    List<Message> messages = new ArrayList<>();
    lanes.forEach(
        (key, lane) -> {
          if (key.destination == rank && key.comm == comm) {
            messages.addAll(lane.messages);
          }
        });
    messages.sort(
        Comparator.<Message>comparingInt(message -> message.source)
            .thenComparingInt(message -> message.number));
    return messages;
  }

  /** The event under a cursor. */
  void read(EventCursor cursor) {
    LiveRank rank = ranks[cursor.rank()];
    EventKind kind = cursor.kind();
    Call call = new Call(kind, Math.toIntExact(cursor.number()));
    int comm = cursor.comm() < 0 ? EventCursor.ANY : comm(cursor);
    switch (kind) {
      case SEND, POST_SEND -> send(cursor, comm, call);
      case RECV, MPROBE, PROBE, POST_RECV -> receive(cursor, comm, call);
      case COLLECTIVE, POST_COLLECTIVE -> collective(cursor, comm, call);
      case COMPLETE, MATCHED, UNMATCHED -> end(cursor, rank, call);
      case CANCEL -> cancel(cursor, rank, call);
      default -> {}
    }
    if (kind.isPost()) {
      rank.open.put(call.number, call);
    }
    listener.read(rank.number, call);
    Receive receive = call.receive;
    Message message = call.message;
    if (message != null && kind.isSend()) {
      Lane lane = lane(message.source, message.destination, message.comm, message.tag);
      lane.messages.addLast(message);
      lane.waiters().forEach(this::settle);
    } else if (receive != null && receive.ended && !receive.settled) {
      settle(receive);
    }
  }

  private int comm(EventCursor cursor) {
    Met here = met[cursor.rank()];
    for (; here.count < cursor.communicators(); here.count++) {
      if (here.count == here.numbers.length) {
        here.numbers = Arrays.copyOf(here.numbers, 2 * here.count);
      }
      here.numbers[here.count] = communicators.number(cursor.communicator(here.count));
    }
    return here.numbers[cursor.comm()];
  }

  private boolean mayOvertake(int comm) {
    boolean overtaking = communicators.get(comm).overtaking();
    if (overtaking) {
      limits.add(LiveRaces.Limit.OVERTAKING);
    }
    return overtaking;
  }

  private void send(EventCursor cursor, int comm, Call call) {
    if (cursor.peer() < 0 || mayOvertake(comm)) {
      return;
    }
    boolean synchronous = cursor.is(EventFlag.SYNC);
    anySynchronous |= synchronous;
    Message message =
        new Message(
            cursor.rank(),
            call.number,
            cursor.site(),
            cursor.peer(),
            comm,
            cursor.tag(),
            synchronous);
    if (call.kind == EventKind.SEND) {
      message.completion = call.number;
    }
    call.message = message;
  }

  private void receive(EventCursor cursor, int comm, Call call) {
    Receive receive =
        new Receive(
            cursor.rank(),
            call.number,
            cursor.site(),
            call.kind,
            cursor.is(EventFlag.POLL),
            comm,
            cursor.is(EventFlag.ANY_SOURCE) ? EventCursor.ANY : cursor.peer(),
            cursor.is(EventFlag.ANY_TAG) ? EventCursor.ANY : cursor.tag());
    call.receive = receive;
    if (mayOvertake(comm)) {
      receive.ambiguous = true;
    } else {
      postings(cursor.rank(), comm).post(receive);
    }
    if (!receive.isPosted()) {
      receive.end(cursor.peer(), cursor.tag(), call.number);
    }
    if (receive.isWild()) {
      listener.posted(receive);
    }
  }

  private void collective(EventCursor cursor, int comm, Call call) {
    int rank = cursor.rank();
    int number = collectives.merge((long) comm << 32 | rank, 1, Integer::sum) - 1;
    int[] listed = new int[cursor.peerCount()];
    Arrays.setAll(listed, cursor::peer);
    Gathering gathering =
        gatherings.computeIfAbsent(
            new Instance(comm, number),
            instance -> new Gathering(communicators.get(comm), () -> gatherings.remove(instance)));
    call.gathering = gathering;
    call.part = new Gathering.Part(rank, call.number, cursor.flow(), cursor.peer(), listed);
    gathering.add(call.part);
  }

  private void end(EventCursor cursor, LiveRank rank, Call call) {
    Call post = rank.open.remove((int) cursor.post());
    if (post == null) {
      return;
    }
    call.receive = post.receive;
    call.message = post.message;
    call.gathering = post.gathering;
    call.part = post.part;
    boolean cancelled = cursor.is(EventFlag.CANCELLED);
    if (post.receive != null) {
      if (call.kind == EventKind.UNMATCHED || cancelled) {
        post.receive.endWithoutMessage(cancelled);
      } else {
        boolean told = call.kind == EventKind.COMPLETE;
        post.receive.end(cursor.peer(), cursor.tag(), told ? call.number : Receive.NEVER);
      }
    }
    if (post.message != null) {
      post.message.completion = call.number;
    }
  }

  private void cancel(EventCursor cursor, LiveRank rank, Call call) {
    Call post = rank.open.get((int) cursor.post());
    if (post != null && post.receive != null) {
      post.receive.cancel = call.number;
    } else if (post != null && post.message != null) {
      limits.add(LiveRaces.Limit.SEND_CANCELLED);
    }
  }

  private Lane lane(int source, int destination, int comm, int tag) {
    return lanes.computeIfAbsent(new LaneKey(source, destination, comm, tag), _ -> new Lane());
  }

  /** Settles a receive that has ended, if nothing before it is open that bears on it. */
  private void settle(Receive receive) {
    Postings here = postings(receive.rank, receive.comm);
    if (receive.ambiguous || !receive.hasMessage) {
      settled(receive, here);
      return;
    }
    Receive blocker = here.blocker(receive);
    if (blocker != null) {
      blocker.block(receive);
      return;
    }
    LaneKey key = lane(receive);
    Lane lane = lanes.computeIfAbsent(key, _ -> new Lane());
    if (lane.messages.isEmpty()) {
      lane.await(receive);
      return;
    }
    take(receive, key, lane);
    settled(receive, here);
  }

  private void take(Receive receive, LaneKey key, Lane lane) {
    Message message = lane.messages.getFirst();
    receive.message = message;
    if (!receive.isProbe()) {
      lane.messages.removeFirst();
      message.takenBy = receive.number;
      if (message.synchronous) {
        message.taker = receive;
      }
      if (lane.isEmpty()) {
        lanes.remove(key);
      }
    }
  }

  private void settled(Receive receive, Postings here) {
    receive.settled = true;
    Message message = receive.message;
    if (message != null) {
      if (!receive.open.isEmpty()) {
        receive.predecessors = predecessors(receive, message);
      }
      if (anySynchronous) {
        List<Receive> closure = receive.closure(true);
        receive.matched = messages(closure);
        if (message.synchronous && !receive.isProbe()) {
          for (Receive earlier : closure) {
            if (receive.number < earlier.completion || receive == earlier) {
              earlier.addTeller(message);
            }
          }
        }
      }
    }
    if (!receive.isWild()) {
      receive.open = List.of();
      receive.allOpen = List.of();
    }
    here.settled(receive);
    listener.settled(receive);
    List<Receive> blocked = receive.blocked;
    if (!blocked.isEmpty()) {
      receive.blocked = List.of();
      blocked.sort(Comparator.comparingInt(later -> later.number));
      blocked.forEach(this::settle);
    }
  }

  private static List<Message> messages(List<Receive> receives) {
    List<Message> messages = new ArrayList<>(receives.size());
    for (Receive each : receives) {
      if (each.message != null) {
        messages.add(each.message);
      }
    }
    return messages;
  }

  /** Those that must have got their messages before: by posting order, and as none overtakes. */
  private static List<Receive> predecessors(Receive receive, Message message) {
    List<Receive> all = new ArrayList<>(2);
    for (Receive open : receive.open) {
      Receive earlier = open;
      while (earlier != null && earlier.ended && !earlier.hasMessage) {
        earlier = earlier.previous;
      }
      if (earlier != null && earlier.accepts(message.source, message.tag)) {
        addOpen(earlier, receive, all);
      }
    }
    for (Receive earlier : receive.allOpen) {
      Message other = earlier.message;
      if (other != null && other.source == message.source && other.number < message.number) {
        addOpen(earlier, receive, all);
      }
    }
    return all.isEmpty() ? List.of() : all;
  }

  private static void addOpen(Receive earlier, Receive receive, List<Receive> all) {
    boolean open = earlier.message != null && earlier.completion > receive.number;
    if (open && !all.contains(earlier)) {
      all.add(earlier);
    }
  }

  boolean isFinished() {
    return finished;
  }

  /** Nothing is read any more: what has no end gets none. */
  void finish() {
    finished = true;
    for (LiveRank rank : ranks) {
      postings[rank.number].forEach(
          (comm, here) -> finish(rank.number, Math.toIntExact(comm), here));
    }
    gatherings.values().forEach(Gathering::close);
  }

  /** As {@link Pairing} does it, for what is left. */
  private void finish(int rank, int comm, Postings here) {
    List<Receive> left = here.unsettled();
    Map<LaneKey, Integer> takers = new HashMap<>();
    for (Receive receive : left) {
      receive.blocked = List.of();
      if (receive.ended && !receive.isProbe()) {
        takers.merge(lane(receive), 1, Integer::sum);
      }
    }
    Set<LaneKey> more = new HashSet<>();
    for (Receive receive : left) {
      Lane lane = lanes.get(lane(receive));
      if (lane != null && lane.messages.size() > takers.getOrDefault(lane(receive), 0)) {
        more.add(lane(receive));
      }
    }
    for (Receive receive : left) {
      LaneKey key = lane(receive);
      Lane lane = lanes.get(key);
      boolean wild = receive.source == Receive.ANY || receive.tag == Receive.ANY;
      boolean unknown = !receive.ended;
      boolean empty = lane == null || lane.messages.isEmpty();
      receive.ambiguous =
          unknown && wild || !empty && more.contains(key) && isAmbiguous(receive, left);
      receive.unknown = unknown;
      receive.ended = true;
      receive.hasMessage = !receive.ambiguous && !empty;
      if (receive.hasMessage) {
        take(receive, key, lane(receive.tookSource, rank, comm, receive.tookTag));
      }
      settled(receive, here);
    }
  }

  private LaneKey lane(Receive receive) {
    return new LaneKey(receive.tookSource, receive.rank, receive.comm, receive.tookTag);
  }

  /** Whether one posted before, of which nobody knows what it took, may have taken its message. */
  private static boolean isAmbiguous(Receive receive, List<Receive> left) {
    for (Receive earlier : left) {
      boolean before = earlier.number < receive.number;
      boolean wild = earlier.source == Receive.ANY || earlier.tag == Receive.ANY;
      if (before
          && earlier.unknown
          && wild
          && earlier.accepts(receive.tookSource, receive.tookTag)) {
        return true;
      }
    }
    return false;
  }
}
