package org.reprise.ranks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.reprise.ranks.fabric.CompletionMode;

/**
 * The oracle: every interleaving of a script's calls and of the matches of its messages, one by
 * one, with nothing of the engine in it. What may match is what MPI's rules of order allow; polls
 * may fail at any time.
 */
final class Interleavings {
  private record Envelope(int source, int tag, int ssend) {}

  private static final class Request {
    final boolean isReceive;
    final int source;
    final int tag;
    boolean done;
    boolean cancelled;
    int fromSource = -1;
    int fromTag = -1;
    final int id;

    Request(boolean isReceive, int source, int tag, int id) {
      this.isReceive = isReceive;
      this.source = source;
      this.tag = tag;
      this.id = id;
    }

    Request copy() {
      Request copy = new Request(isReceive, source, tag, id);
      copy.done = done;
      copy.cancelled = cancelled;
      copy.fromSource = fromSource;
      copy.fromTag = fromTag;
      return copy;
    }

    boolean accepts(Envelope e) {
      return (source == Script.ANY || source == e.source)
          && (tag == Script.ANY_TAG || tag == e.tag);
    }

    @Override
    public String toString() {
      return isReceive
          + ":"
          + source
          + ":"
          + tag
          + ":"
          + done
          + cancelled
          + ":"
          + fromSource
          + ":"
          + fromTag
          + ":"
          + id;
    }
  }

  private static final Request NO_REQUEST = new Request(false, 0, 0, -2);

  private static final class RankState {
    int at;

    /** Whether the blocking call at {@code at} has begun: its receive is posted, its send sent. */
    boolean begun;

    int lastSource = -1;
    List<String> log = new ArrayList<>();
    TreeMap<Integer, Request> slots = new TreeMap<>();
    List<Request> posted = new ArrayList<>();
    List<Envelope> sent = new ArrayList<>();
    Request blocking = NO_REQUEST;
    int requests;
    int barriers;
    int[] bcasts = new int[8];

    RankState copy() {
      RankState c = new RankState();
      c.at = at;
      c.begun = begun;
      c.lastSource = lastSource;
      c.log = new ArrayList<>(log);
      c.sent = new ArrayList<>(sent);
      c.requests = requests;
      c.barriers = barriers;
      c.bcasts = bcasts.clone();
      List<Request> all = new ArrayList<>();
      List<Request> copies = new ArrayList<>();
      for (Request r : slots.values()) {
        all.add(r);
      }
      for (Request r : posted) {
        if (!all.contains(r)) {
          all.add(r);
        }
      }
      if (blocking != NO_REQUEST && !all.contains(blocking)) {
        all.add(blocking);
      }
      for (Request r : all) {
        copies.add(r.copy());
      }
      slots.forEach((slot, r) -> c.slots.put(slot, copies.get(all.indexOf(r))));
      posted.forEach(r -> c.posted.add(copies.get(all.indexOf(r))));
      c.blocking = blocking == NO_REQUEST ? NO_REQUEST : copies.get(all.indexOf(blocking));
      return c;
    }

    @Override
    public String toString() {
      return at
          + ","
          + begun
          + ","
          + lastSource
          + ","
          + log
          + ","
          + slots
          + ","
          + posted
          + ","
          + sent
          + ","
          + blocking
          + ","
          + barriers
          + ","
          + Arrays.toString(bcasts);
    }
  }

  private final Script script;
  private final int n;
  private final Set<String> visited = new HashSet<>();
  private final Set<List<List<String>>> outcomes = new HashSet<>();
  private final int statesMax;

  private Interleavings(Script script, int statesMax) {
    this.script = script;
    this.n = script.ranks().size();
    this.statesMax = statesMax;
  }

  /** What the ranks can see, in all executions; empty if there are too many states. */
  static Optional<Set<List<List<String>>>> of(Script script, int statesMax) {
    Interleavings all = new Interleavings(script, statesMax);
    RankState[] start = new RankState[all.n];
    for (int i = 0; i < all.n; i++) {
      start[i] = new RankState();
    }
    return all.explore(start) ? Optional.of(all.outcomes) : Optional.empty();
  }

  private boolean explore(RankState[] state) {
    if (!visited.add(Arrays.toString(state))) {
      return true;
    }
    if (visited.size() > statesMax) {
      return false;
    }
    boolean moved = false;
    for (int to = 0; to < n; to++) {
      for (int r = 0; r < state[to].posted.size(); r++) {
        for (int m = 0; m < state[to].sent.size(); m++) {
          if (mayMatch(state[to], r, m)) {
            moved = true;
            RankState[] next = copy(state);
            Request receive = next[to].posted.remove(r);
            match(next, receive, next[to].sent.remove(m));
            if (!explore(next)) {
              return false;
            }
          }
        }
      }
    }
    for (int rank = 0; rank < n; rank++) {
      int ways = ways(state, rank);
      for (int way = 0; way < ways; way++) {
        moved = true;
        RankState[] next = copy(state);
        step(next, rank, way);
        if (!explore(next)) {
          return false;
        }
      }
    }
    if (!moved) {
      outcomes.add(Arrays.stream(state).map(s -> List.copyOf(s.log)).toList());
    }
    return true;
  }

  private static RankState[] copy(RankState[] state) {
    return Arrays.stream(state).map(RankState::copy).toArray(RankState[]::new);
  }

  /** MPI 4.0, 3.5: in the order of posting, and messages of one sender do not overtake. */
  private static boolean mayMatch(RankState s, int receive, int message) {
    Request r = s.posted.get(receive);
    Envelope m = s.sent.get(message);
    return r.accepts(m)
        && s.posted.subList(0, receive).stream().noneMatch(before -> before.accepts(m))
        && noneBefore(s, r, message);
  }

  private static boolean noneBefore(RankState s, Request r, int message) {
    return s.sent.subList(0, message).stream()
        .noneMatch(before -> before.source == s.sent.get(message).source && r.accepts(before));
  }

  private static void match(RankState[] state, Request r, Envelope e) {
    r.done = true;
    r.fromSource = e.source;
    r.fromTag = e.tag;
    if (e.ssend >= 0) {
      RankState sender = state[e.source];
      sender.slots.values().stream().filter(q -> q.id == e.ssend).forEach(q -> q.done = true);
      if (sender.blocking != NO_REQUEST && sender.blocking.id == e.ssend) {
        sender.blocking.done = true;
      }
    }
  }

  private static List<Integer> done(RankState s, List<Integer> slots) {
    List<Integer> done = new ArrayList<>();
    for (int i = 0; i < slots.size(); i++) {
      Request r = s.slots.get(slots.get(i));
      if (r != null && r.done) {
        done.add(i);
      }
    }
    return done;
  }

  /** A probe sees what a receive that was posted now could take. */
  private static List<Envelope> visible(RankState s, int source, int tag) {
    Request pattern = new Request(true, source, tag, -1);
    List<Envelope> visible = new ArrayList<>();
    for (int i = 0; i < s.sent.size(); i++) {
      Envelope m = s.sent.get(i);
      if (pattern.accepts(m)
          && s.posted.stream().noneMatch(posted -> posted.accepts(m))
          && noneBefore(s, pattern, i)) {
        visible.add(m);
      }
    }
    return visible;
  }

  /** In how many ways the rank can make its next step now. */
  private int ways(RankState[] state, int rank) {
    RankState s = state[rank];
    List<Script.Step> steps = script.ranks().get(rank);
    if (s.at >= steps.size()) {
      return s.at == steps.size() ? 1 : 0;
    }
    return switch (steps.get(s.at)) {
      case Script.Step.Send send -> !send.sync() || !s.begun || s.blocking.done ? 1 : 0;
      case Script.Step.Isend _,
          Script.Step.Irecv _,
          Script.Step.Cancel _,
          Script.Step.SkipIfFrom _ ->
          1;
      case Script.Step.Recv _ -> !s.begun || s.blocking.done ? 1 : 0;
      case Script.Step.Complete(CompletionMode mode, List<Integer> slots) -> {
        int active = (int) slots.stream().filter(s.slots::containsKey).count();
        int done = done(s, slots).size();
        if (active == 0) {
          yield 1;
        }
        yield switch (mode) {
          case WAIT, WAIT_ALL -> done == active ? 1 : 0;
          case TEST, TEST_ALL -> done == active ? 2 : 1;
          case WAIT_ANY -> done;
          case TEST_ANY -> done + 1;
          case WAIT_SOME -> (1 << done) - 1;
          case TEST_SOME -> 1 << done;
        };
      }
      case Script.Step.Probe(int source, int tag, boolean poll) ->
          visible(s, source, tag).size() + (poll ? 1 : 0);
      case Script.Step.Barrier _ ->
          !s.begun || Arrays.stream(state).allMatch(o -> o.barriers >= s.barriers) ? 1 : 0;
      case Script.Step.Bcast(int root) ->
          !s.begun || rank == root || state[root].bcasts[root] >= s.bcasts[root] ? 1 : 0;
    };
  }

  private void step(RankState[] state, int rank, int way) {
    RankState s = state[rank];
    List<Script.Step> steps = script.ranks().get(rank);
    if (s.at == steps.size()) {
      s.log.add("end");
      s.at++;
      return;
    }
    switch (steps.get(s.at)) {
      case Script.Step.Send(int dest, int tag, boolean sync) -> {
        if (!s.begun) {
          Request r = new Request(false, 0, 0, s.requests++);
          state[dest].sent.add(new Envelope(rank, tag, sync ? r.id : -1));
          s.blocking = r;
          s.begun = true;
          if (!sync) {
            s.log.add("sent");
            next(s);
          }
        } else {
          s.log.add("sent");
          next(s);
        }
      }
      case Script.Step.Isend(int slot, int dest, int tag, boolean sync) -> {
        Request r = new Request(false, 0, 0, s.requests++);
        r.done = !sync;
        s.slots.put(slot, r);
        state[dest].sent.add(new Envelope(rank, tag, sync ? r.id : -1));
        next(s);
      }
      case Script.Step.Recv(int source, int tag) -> {
        if (!s.begun) {
          s.blocking = new Request(true, source, tag, s.requests++);
          s.begun = true;
          s.posted.add(s.blocking);
        } else {
          received(s, "got", s.blocking.fromSource, s.blocking.fromTag);
          next(s);
        }
      }
      case Script.Step.Irecv(int slot, int source, int tag) -> {
        Request r = new Request(true, source, tag, s.requests++);
        s.slots.put(slot, r);
        s.posted.add(r);
        next(s);
      }
      case Script.Step.Cancel(int slot) -> {
        Request r = s.slots.get(slot);
        if (r != null && r.isReceive && !r.done) {
          s.posted.remove(r);
          r.done = true;
          r.cancelled = true;
        }
        next(s);
      }
      case Script.Step.Complete(CompletionMode mode, List<Integer> slots) -> {
        complete(s, mode, slots, way);
        next(s);
      }
      case Script.Step.Probe(int source, int tag, boolean poll) -> {
        List<Envelope> visible = visible(s, source, tag);
        if (way < visible.size()) {
          received(s, "saw", visible.get(way).source, visible.get(way).tag);
        } else {
          s.log.add("saw nothing");
        }
        next(s);
      }
      case Script.Step.Barrier _ -> {
        if (!s.begun) {
          s.barriers++;
          s.begun = true;
        } else {
          s.log.add("out");
          next(s);
        }
      }
      case Script.Step.Bcast(int root) -> {
        if (!s.begun) {
          s.bcasts[root]++;
          s.begun = true;
        } else {
          s.log.add("out");
          next(s);
        }
      }
      case Script.Step.SkipIfFrom(int source, int count) -> {
        boolean skips = s.lastSource == source;
        next(s);
        s.at += skips ? Math.min(count, steps.size() - s.at) : 0;
      }
    }
  }

  private static void next(RankState s) {
    s.at++;
    s.begun = false;
    s.blocking = NO_REQUEST;
  }

  private static void received(RankState s, String how, int source, int tag) {
    s.lastSource = source;
    s.log.add(how + " " + source + "/" + tag);
  }

  private static void complete(RankState s, CompletionMode mode, List<Integer> slots, int way) {
    List<Integer> done = done(s, slots);
    boolean active = slots.stream().anyMatch(s.slots::containsKey);
    List<Integer> reported;
    if (!active) {
      s.log.add(mode + " 0");
      return;
    }
    switch (mode) {
      case WAIT, WAIT_ALL -> reported = done;
      case TEST, TEST_ALL -> {
        int activeCount = (int) slots.stream().filter(s.slots::containsKey).count();
        reported = done.size() == activeCount && way == 1 ? done : List.of();
      }
      case WAIT_ANY -> reported = List.of(done.get(way));
      case TEST_ANY -> reported = way == 0 ? List.of() : List.of(done.get(way - 1));
      default -> {
        int set = mode == CompletionMode.WAIT_SOME ? way + 1 : way;
        reported = new ArrayList<>();
        for (int i = 0; i < done.size(); i++) {
          if ((set >> i & 1) != 0) {
            reported.add(done.get(i));
          }
        }
      }
    }
    if (reported.isEmpty()) {
      s.log.add(mode + " failed");
      return;
    }
    s.log.add(mode + " " + reported.size());
    for (int i : reported) {
      Request r = Objects.requireNonNull(s.slots.remove(slots.get(i)));
      if (r.cancelled) {
        s.log.add("slot " + slots.get(i) + " cancelled");
      } else if (r.isReceive) {
        received(s, "slot " + slots.get(i), r.fromSource, r.fromTag);
      } else {
        s.log.add("slot " + slots.get(i));
      }
    }
  }
}
