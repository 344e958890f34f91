package org.reprise.recovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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

/**
 * An execution with times that is drawn from a seed: ranks compute, send and receive in every way
 * that the events know, and end early. What each return got is written down beside the events, for
 * oracles that must not ask the code under test.
 */
final class RandomRun {
  /** What a return got: an entry on another rank, or on the same. */
  record Flow(int fromRank, int from, int toRank, int to, int lane, int place) {}

  /** How a run is drawn. */
  record Shape(int ranks, int steps, long phaseMax, long workMax, long latencyMax, boolean rich) {
    static Shape small(Random random) {
      return new Shape(2 + random.nextInt(3), 10 + random.nextInt(25), 20, 100, 5, true);
    }

    static Shape large(Random random) {
      return new Shape(
          2 + random.nextInt(5),
          60 + random.nextInt(300),
          random.nextInt(300),
          20 + random.nextInt(200),
          random.nextInt(60),
          random.nextBoolean());
    }
  }

  /** A message under way. */
  private record Sent(int rank, int number, long arrival) {}

  /** A receive that was posted: which message of which lane it will get. */
  private record Posted(int number, int lane, int place) {}

  private static final int TAGS = 2;

  private final Random random;
  private final Shape shape;
  private final List<List<Event>> events = new ArrayList<>();
  private final long[] clock;
  private final long[] last;
  private final boolean[] ended;
  private final Map<Integer, List<Sent>> lanes = new HashMap<>();
  private final Map<Integer, Integer> taken = new HashMap<>();
  private final List<List<Posted>> open = new ArrayList<>();
  private final List<List<Integer>> openSends = new ArrayList<>();
  final List<Flow> flows = new ArrayList<>();

  private RandomRun(Random random, Shape shape) {
    this.random = random;
    this.shape = shape;
    clock = new long[shape.ranks];
    last = new long[shape.ranks];
    ended = new boolean[shape.ranks];
    for (int rank = 0; rank < shape.ranks; rank++) {
      events.add(new ArrayList<>());
      open.add(new ArrayList<>());
      openSends.add(new ArrayList<>());
      clock[rank] = random.nextLong(shape.phaseMax + 1);
      local(rank);
    }
    int[] favourites = {random.nextInt(shape.ranks), random.nextInt(shape.ranks)};
    for (int step = 0; step < shape.steps; step++) {
      int rank = random.nextInt(5) > 0 ? slowest() : random.nextInt(shape.ranks);
      if (!ended[rank]) {
        act(rank, random.nextInt(4) == 0 ? favourites[step % 2] : random.nextInt(shape.ranks));
      }
    }
  }

  static RandomRun of(long seed, boolean small) {
    Random random = new Random(seed);
    return new RandomRun(random, small ? Shape.small(random) : Shape.large(random));
  }

  static RandomRun of(long seed, Shape shape) {
    return new RandomRun(new Random(seed), shape);
  }

  private int slowest() {
    int slowest = random.nextInt(shape.ranks);
    for (int rank = 0; rank < shape.ranks; rank++) {
      if (!ended[rank] && (ended[slowest] || clock[rank] < clock[slowest])) {
        slowest = rank;
      }
    }
    return slowest;
  }

  private void act(int rank, int peer) {
    clock[rank] += random.nextInt(6) == 0 ? random.nextLong(shape.workMax) : random.nextLong(10);
    switch (random.nextInt(shape.rich ? 16 : 8)) {
      case 0, 1, 2 -> send(rank, peer, false);
      case 3, 4, 5, 6 -> receive(rank, EventKind.RECV);
      case 7 -> local(rank);
      case 8 -> post(rank, peer);
      case 9, 10 -> complete(rank);
      case 11 -> receive(rank, EventKind.PROBE);
      case 12 -> receive(rank, EventKind.MPROBE);
      case 13 -> sendrecv(rank, peer);
      case 14 -> collective(random.nextInt(3));
      default -> {
        if (random.nextInt(20) == 0) {
          ended[rank] = true;
        } else {
          postSend(rank, peer);
        }
      }
    }
  }

  private int lane(int from, int to, int tag) {
    return (from * shape.ranks + to) * TAGS + tag;
  }

  private void sent(int rank, int to, int tag, int number, long when) {
    long arrival = when + (shape.latencyMax == 0 ? 0 : random.nextLong(shape.latencyMax));
    lanes
        .computeIfAbsent(lane(rank, to, tag), _ -> new ArrayList<>())
        .add(new Sent(rank, number, arrival));
  }

  private void send(int rank, int peer, boolean joined) {
    int tag = random.nextInt(TAGS);
    int number = size(rank);
    sent(rank, peer, tag, number, clock[rank]);
    if (joined) {
      joined(rank, EventKind.SEND, Set.of(), peer, tag, -1);
    } else {
      timed(rank, EventKind.SEND, Set.of(), peer, tag, -1, clock[rank], 1 + random.nextInt(3));
    }
  }

  private void postSend(int rank, int peer) {
    int tag = random.nextInt(TAGS);
    openSends.get(rank).add(size(rank));
    sent(rank, peer, tag, size(rank), clock[rank]);
    timed(rank, EventKind.POST_SEND, Set.of(), peer, tag, -1, clock[rank], 1);
  }

  private List<int[]> available(int rank) {
    List<int[]> found = new ArrayList<>();
    for (int from = 0; from < shape.ranks; from++) {
      for (int tag = 0; tag < TAGS; tag++) {
        int lane = lane(from, rank, tag);
        if (taken.getOrDefault(lane, 0) < lanes.getOrDefault(lane, List.of()).size()) {
          found.add(new int[] {from, tag, lane});
        }
      }
    }
    return found;
  }

  private Sent message(int lane, int place) {
    return lanes.getOrDefault(lane, List.of()).get(place);
  }

  private void receive(int rank, EventKind kind) {
    List<int[]> found = available(rank);
    if (found.isEmpty()) {
      return;
    }
    int[] one = found.get(random.nextInt(found.size()));
    boolean any = open.get(rank).isEmpty() && random.nextBoolean();
    Set<EventFlag> flags = any ? Set.of(EventFlag.ANY_SOURCE) : Set.of();
    int place = taken.getOrDefault(one[2], 0);
    Sent message = message(one[2], place);
    flow(message, rank, one[2], place);
    long start = clock[rank];
    clock[rank] = Math.max(clock[rank], message.arrival) + random.nextInt(2);
    timed(rank, kind, flags, one[0], one[1], -1, start, clock[rank] - start);
    if (kind != EventKind.PROBE) {
      taken.put(one[2], place + 1);
    }
    if (kind == EventKind.MPROBE) {
      received(rank, size(rank) - 1, one[2], place);
    }
  }

  /** MPI_Mrecv, or MPI_Imrecv and MPI_Wait. */
  private void received(int rank, int probe, int lane, int place) {
    Sent message = message(lane, place);
    clock[rank] += random.nextInt(20);
    if (random.nextBoolean()) {
      flow(message, rank, lane, place);
      timed(rank, EventKind.MRECV, Set.of(), -1, -1, probe, clock[rank], 1);
    } else {
      int post = size(rank);
      timed(rank, EventKind.POST_MRECV, Set.of(), -1, -1, probe, clock[rank], 1);
      send(rank, random.nextInt(shape.ranks), false);
      flow(message, rank, lane, place);
      timed(rank, EventKind.COMPLETE, Set.of(), -1, -1, post, clock[rank], 1);
    }
  }

  private void flow(Sent message, int rank, int lane, int place) {
    flows.add(new Flow(message.rank, message.number, rank, size(rank), lane, place));
  }

  private void post(int rank, int peer) {
    int tag = random.nextInt(TAGS);
    int lane = lane(peer, rank, tag);
    int place = taken.getOrDefault(lane, 0);
    taken.put(lane, place + 1);
    open.get(rank).add(new Posted(size(rank), lane, place));
    timed(rank, EventKind.POST_RECV, Set.of(), peer, tag, -1, clock[rank], 1);
  }

  /** MPI_Waitall on what has come of the open receives, and on open sends. */
  private void complete(int rank) {
    List<Posted> come = new ArrayList<>();
    for (Posted posted : open.get(rank)) {
      if (posted.place < lanes.getOrDefault(posted.lane, List.of()).size()
          && random.nextBoolean()) {
        come.add(posted);
      }
    }
    List<Integer> sends = openSends.get(rank);
    if (come.isEmpty() && sends.isEmpty()) {
      return;
    }
    long start = clock[rank];
    int left = come.size() + sends.size();
    for (int send : sends) {
      left--;
      if (left > 0) {
        joined(rank, EventKind.COMPLETE, Set.of(), -1, -1, send);
      } else {
        timed(rank, EventKind.COMPLETE, Set.of(), -1, -1, send, start, 1);
      }
    }
    sends.clear();
    for (Posted posted : come) {
      Sent message = message(posted.lane, posted.place);
      clock[rank] = Math.max(clock[rank], message.arrival);
      flow(message, rank, posted.lane, posted.place);
      int from = posted.lane / TAGS / shape.ranks;
      int tag = posted.lane % TAGS;
      left--;
      if (left > 0) {
        joined(rank, EventKind.COMPLETE, Set.of(), from, tag, posted.number);
      } else {
        timed(
            rank,
            EventKind.COMPLETE,
            Set.of(),
            from,
            tag,
            posted.number,
            start,
            clock[rank] + 1 - start);
      }
    }
    open.get(rank).removeAll(come);
  }

  private void sendrecv(int rank, int peer) {
    List<int[]> found = available(rank);
    if (found.isEmpty()) {
      return;
    }
    send(rank, peer, true);
    receive(rank, EventKind.RECV);
    // What was just sent may be all there is, to itself; then there is a receive at any rate.
  }

  private void collective(int which) {
    for (boolean one : ended) {
      if (one) {
        return;
      }
    }
    int root = random.nextInt(shape.ranks);
    boolean posted = random.nextInt(3) == 0;
    long[] start = clock.clone();
    int[] call = new int[shape.ranks];
    for (int rank = 0; rank < shape.ranks; rank++) {
      call[rank] = size(rank);
      if (posted) {
        timed(rank, EventKind.POST_COLLECTIVE, flow(which), root(which, root), clock[rank], 1);
        clock[rank] += random.nextInt(10);
      }
    }
    for (int rank = 0; rank < shape.ranks; rank++) {
      long begin = clock[rank];
      for (int other = 0; other < shape.ranks; other++) {
        boolean gives =
            other != rank
                && (which == 0 || which == 1 && other == root || which == 2 && rank == root);
        if (gives) {
          clock[rank] = Math.max(clock[rank], start[other]);
          flows.add(new Flow(other, call[other], rank, size(rank), -1, -1));
        }
      }
      if (posted) {
        timed(
            rank, EventKind.COMPLETE, Set.of(), -1, -1, call[rank], begin, clock[rank] + 1 - begin);
      } else {
        timed(
            rank,
            EventKind.COLLECTIVE,
            flow(which),
            root(which, root),
            begin,
            clock[rank] + 1 - begin);
      }
    }
  }

  private static CollectiveFlow flow(int which) {
    return which == 0
        ? CollectiveFlow.ALL
        : which == 1 ? CollectiveFlow.FROM_ROOT : CollectiveFlow.TO_ROOT;
  }

  private static int root(int which, int root) {
    return which == 0 ? -1 : root;
  }

  private void local(int rank) {
    timed(rank, EventKind.LOCAL, Set.of(), -1, -1, -1, clock[rank], 1);
  }

  int size(int rank) {
    return events.get(rank).size();
  }

  private void joined(
      int rank, EventKind kind, Set<EventFlag> flags, int peer, int tag, long post) {
    Set<EventFlag> all = new java.util.HashSet<>(flags);
    all.add(EventFlag.JOINED);
    add(rank, kind, all, peer, tag, CollectiveFlow.NONE, post, last[rank], 0);
  }

  private void timed(
      int rank, EventKind kind, CollectiveFlow flow, int root, long start, long duration) {
    add(rank, kind, Set.of(), root, -1, flow, -1, start, duration);
    clock[rank] = start + duration;
    last[rank] = clock[rank];
  }

  private void timed(
      int rank,
      EventKind kind,
      Set<EventFlag> flags,
      int peer,
      int tag,
      long post,
      long start,
      long duration) {
    add(rank, kind, flags, peer, tag, CollectiveFlow.NONE, post, start, duration);
    clock[rank] = start + duration;
    last[rank] = clock[rank];
  }

  private void add(
      int rank,
      EventKind kind,
      Set<EventFlag> flags,
      int peer,
      int tag,
      CollectiveFlow flow,
      long post,
      long start,
      long duration) {
    List<Event> own = events.get(rank);
    int bytes = kind.isSend() || kind.isCollective() ? random.nextInt(100) : 0;
    own.add(
        new Event(
            own.size(),
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
            duration,
            0,
            List.of()));
  }

  EventGraph graph() {
    Communicator world = Communicator.of(1, RankGroup.run(0, shape.ranks, 1));
    EventTable.Builder table = new EventTable.Builder(shape.ranks);
    for (int rank = 0; rank < shape.ranks; rank++) {
      table.add(new EventList(rank, shape.ranks, List.of(world), events.get(rank)));
    }
    return EventGraph.of(table.build());
  }

  int ranks() {
    return shape.ranks;
  }

  Event event(int rank, int number) {
    return events.get(rank).get(number);
  }
}
