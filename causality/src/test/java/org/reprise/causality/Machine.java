package org.reprise.causality;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A model of MPI, written for tests and knowing nothing of the code under test: it goes through
 * every state that a small program can reach. A call is entered, messages are matched by a step of
 * their own, and the call returns when what it waits for has happened.
 *
 * <p>A receive or probe is named by its rank and its number among the rank's receives and probes, a
 * message by its sender and number: {@code 100 * rank + number}.
 */
final class Machine {
  static final int NONE = -1;

  /** Who took part in a program, and what each does. */
  record Program(List<List<Step>> ranks) {
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      for (int rank = 0; rank < ranks.size(); rank++) {
        text.append("\n  ").append(rank).append(": ").append(ranks.get(rank));
      }
      return text.toString();
    }
  }

  /** A receive or probe that has been posted. */
  private record Post(int id, int source, int tag, int message) {
    boolean accepts(Sent sent) {
      return (source == Step.ANY || source == sent.id / 100)
          && (tag == Step.ANY || tag == sent.tag);
    }
  }

  /** A message on its way to a rank, or there. */
  private record Sent(int id, int tag, int takenBy) {}

  /** A call that a rank made; {@code id} is its message, receive or probe. */
  record Call(
      Step.Op op, int id, int peer, int tag, int askedPeer, int askedTag, boolean sync, int post) {}

  /** What the rules leave open is decided here. */
  interface Control {
    /** The source that a receive or probe asks for instead of {@code asked}. */
    default int source(int receive, int asked) {
      return asked;
    }

    /** Whether this receive or probe may get this message, if MPI allows it. */
    default boolean allows(int receive, int message) {
      return true;
    }
  }

  /** What a program has done so far. */
  static final class State {
    final int[] at;
    final boolean[] inside;
    final int[] last;
    final int[] sends;
    final int[] receives;
    final int[] barriers;
    final List<List<Call>> calls = new ArrayList<>();
    private final List<List<Post>> posts = new ArrayList<>();
    private final List<List<Sent>> messages = new ArrayList<>();
    private final List<Map<Integer, Integer>> requests = new ArrayList<>();

    State(int ranks) {
      at = new int[ranks];
      inside = new boolean[ranks];
      last = new int[ranks];
      sends = new int[ranks];
      receives = new int[ranks];
      barriers = new int[ranks];
      for (int rank = 0; rank < ranks; rank++) {
        calls.add(new ArrayList<>());
        posts.add(new ArrayList<>());
        messages.add(new ArrayList<>());
        requests.add(new TreeMap<>());
      }
    }

    State(State from) {
      at = from.at.clone();
      inside = from.inside.clone();
      last = from.last.clone();
      sends = from.sends.clone();
      receives = from.receives.clone();
      barriers = from.barriers.clone();
      from.calls.forEach(list -> calls.add(new ArrayList<>(list)));
      from.posts.forEach(list -> posts.add(new ArrayList<>(list)));
      from.messages.forEach(list -> messages.add(new ArrayList<>(list)));
      from.requests.forEach(map -> requests.add(new TreeMap<>(map)));
    }

    /** How far each rank is: two for each call that returned, one for a call it is in. */
    int[] moments() {
      int[] moments = new int[at.length];
      for (int rank = 0; rank < at.length; rank++) {
        moments[rank] = 2 * calls.get(rank).size() - (inside[rank] ? 1 : 0);
      }
      return moments;
    }

    /** Which message each receive took and each probe saw. */
    Map<Integer, Integer> outcomes() {
      Map<Integer, Integer> outcomes = new TreeMap<>();
      for (List<Post> list : posts) {
        list.forEach(post -> outcomes.put(post.id, post.message));
      }
      for (List<Call> list : calls) {
        for (Call call : list) {
          if (call.op == Step.Op.PROBE && call.post != NONE) {
            outcomes.put(call.id, call.post);
          }
        }
      }
      return outcomes;
    }

    private ByteBuffer key() {
      ByteBuffer key = ByteBuffer.allocate(512);
      for (int rank = 0; rank < at.length; rank++) {
        key.put((byte) at[rank]).put((byte) (inside[rank] ? 1 : 0)).putShort((short) last[rank]);
        key.put((byte) calls.get(rank).size());
        posts.get(rank).forEach(post -> key.putShort((short) post.message).put((byte) post.source));
        key.put((byte) -9);
        messages.get(rank).forEach(m -> key.putShort((short) m.id).putShort((short) m.takenBy));
        key.put((byte) -9);
        calls.get(rank).stream()
            .filter(call -> call.op == Step.Op.PROBE)
            .forEach(call -> key.putShort((short) call.post));
        key.put((byte) -9);
      }
      return key.flip();
    }
  }

  private final Program program;
  private final Control control;
  private final int ranks;

  Machine(Program program, Control control) {
    this.program = program;
    this.control = control;
    ranks = program.ranks.size();
  }

  /** Looks at states as they are reached. */
  interface Visitor {
    void reached(State state, boolean isLast);
  }

  /** Visits every state once; false if there were more than {@code most}. */
  boolean explore(int most, Visitor visitor) {
    return explore(most, visitor, false);
  }

  private boolean explore(int most, Visitor visitor, boolean hurried) {
    Set<ByteBuffer> seen = new HashSet<>();
    ArrayDeque<State> open = new ArrayDeque<>();
    State start = new State(ranks);
    java.util.Arrays.fill(start.last, NONE);
    open.push(start);
    seen.add(start.key());
    while (!open.isEmpty()) {
      State state = open.pop();
      List<State> next = next(state, hurried);
      visitor.reached(state, next.isEmpty());
      for (State each : next) {
        if (seen.add(each.key())) {
          open.push(each);
        }
      }
      if (seen.size() > most) {
        return false;
      }
    }
    return true;
  }

  /**
   * Every way the program can end, by what its receives and probes got. Entering a call, and
   * returning from one that is no probe, never takes a choice away: so these are done first, and
   * only matches and probes are tried in every order.
   */
  Map<Map<Integer, Integer>, State> executions(int most) {
    return ends(most, true);
  }

  /** The same through all states; a test compares the two. */
  Map<Map<Integer, Integer>, State> executionsThroughAllStates(int most) {
    return ends(most, false);
  }

  private Map<Map<Integer, Integer>, State> ends(int most, boolean hurried) {
    Map<Map<Integer, Integer>, State> ends = new LinkedHashMap<>();
    boolean all =
        explore(
            most,
            (state, isLast) -> {
              if (isLast) {
                ends.putIfAbsent(state.outcomes(), state);
              }
            },
            hurried);
    return all ? ends : Map.of();
  }

  boolean isComplete(State state) {
    for (int rank = 0; rank < ranks; rank++) {
      if (state.inside[rank] || step(state, rank) != null) {
        return false;
      }
    }
    return true;
  }

  /** Pairs of a receive or probe and a message that it could get now, whatever control allows. */
  Set<List<Integer>> possible(State state) {
    Set<List<Integer>> pairs = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
    for (int rank = 0; rank < ranks; rank++) {
      for (Post post : state.posts.get(rank)) {
        for (Sent sent : state.messages.get(rank)) {
          if (matchable(state, rank, post, sent)) {
            pairs.add(List.of(post.id, sent.id));
          }
        }
      }
      if (state.inside[rank]) {
        Call call = state.calls.get(rank).getLast();
        if (call.op == Step.Op.PROBE) {
          for (Sent sent : state.messages.get(rank)) {
            if (visible(state, rank, call, sent)) {
              pairs.add(List.of(call.id, sent.id));
            }
          }
        }
      }
    }
    return pairs;
  }

  private @Nullable Step step(State state, int rank) {
    List<Step> steps = program.ranks.get(rank);
    while (state.at[rank] < steps.size()) {
      Step step = steps.get(state.at[rank]);
      if (step.op() != Step.Op.UNLESS) {
        boolean idle =
            step.peer() == Step.LAST && state.last[rank] == NONE
                || step.op() == Step.Op.WAIT
                    && !state.requests.get(rank).containsKey(step.request());
        if (!idle) {
          return step;
        }
        state.at[rank]++;
      } else {
        state.at[rank] += state.last[rank] == step.peer() ? 1 : 1 + step.request();
      }
    }
    return null;
  }

  private List<State> next(State state, boolean hurried) {
    List<State> next = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      boolean chooses = state.inside[rank] && state.calls.get(rank).getLast().op == Step.Op.PROBE;
      if (hurried && !chooses) {
        if (state.inside[rank]) {
          leave(state, rank, next);
        } else if (step(state, rank) != null) {
          State entered = new State(state);
          enter(entered, rank);
          next.add(entered);
        }
        if (!next.isEmpty()) {
          return List.of(next.getFirst());
        }
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (state.inside[rank]) {
        leave(state, rank, next);
      } else if (step(state, rank) != null) {
        State entered = new State(state);
        enter(entered, rank);
        next.add(entered);
      }
      match(state, rank, next);
    }
    return next;
  }

  private void enter(State state, int rank) {
    Step step = java.util.Objects.requireNonNull(step(state, rank));
    state.at[rank]++;
    state.inside[rank] = true;
    int peer = step.peer() == Step.LAST ? state.last[rank] : step.peer();
    List<Call> calls = state.calls.get(rank);
    switch (step.op()) {
      case SEND, ISEND -> {
        int id = 100 * rank + state.sends[rank]++;
        state.messages.get(peer).add(new Sent(id, step.tag(), NONE));
        if (step.op() == Step.Op.ISEND) {
          state.requests.get(rank).put(step.request(), calls.size());
        }
        calls.add(new Call(step.op(), id, peer, step.tag(), peer, step.tag(), step.sync(), NONE));
      }
      case RECV, IRECV -> {
        int id = 100 * rank + state.receives[rank]++;
        state.posts.get(rank).add(new Post(id, control.source(id, peer), step.tag(), NONE));
        if (step.op() == Step.Op.IRECV) {
          state.requests.get(rank).put(step.request(), calls.size());
        }
        calls.add(new Call(step.op(), id, peer, step.tag(), peer, step.tag(), false, NONE));
      }
      case PROBE -> {
        int id = 100 * rank + state.receives[rank]++;
        int asked = control.source(id, peer);
        calls.add(new Call(step.op(), id, asked, step.tag(), peer, step.tag(), false, NONE));
      }
      case WAIT -> {
        int post = Execution.of(state.requests.get(rank), step.request());
        state.requests.get(rank).remove(step.request());
        int id = calls.get(post).id;
        calls.add(new Call(step.op(), id, 0, 0, 0, 0, calls.get(post).sync, post));
      }
      default -> {
        calls.add(new Call(step.op(), state.barriers[rank]++, peer, 0, 0, 0, false, NONE));
      }
    }
  }

  private void leave(State state, int rank, List<State> next) {
    Call call = state.calls.get(rank).getLast();
    Call began = call.op == Step.Op.WAIT ? state.calls.get(rank).get(call.post) : call;
    boolean ready =
        switch (began.op) {
          case SEND -> !began.sync || isTaken(state, began);
          case ISEND -> call.op != Step.Op.WAIT || !began.sync || isTaken(state, began);
          case RECV -> taken(state, rank, began) != NONE;
          case IRECV -> call.op != Step.Op.WAIT || taken(state, rank, began) != NONE;
          case PROBE -> {
            for (Sent sent : state.messages.get(rank)) {
              if (visible(state, rank, call, sent) && control.allows(call.id, sent.id)) {
                State left = new State(state);
                left.inside[rank] = false;
                left.last[rank] = sent.id / 100;
                left.calls.get(rank).removeLast();
                left.calls
                    .get(rank)
                    .add(
                        new Call(
                            call.op,
                            call.id,
                            sent.id / 100,
                            sent.tag,
                            call.askedPeer,
                            call.askedTag,
                            false,
                            sent.id));
                next.add(left);
              }
            }
            yield false;
          }
          default -> arrived(state, rank, call);
        };
    if (ready) {
      State left = new State(state);
      left.inside[rank] = false;
      boolean received =
          began.op == Step.Op.RECV || began.op == Step.Op.IRECV && call.op == Step.Op.WAIT;
      if (received) {
        left.last[rank] = taken(state, rank, began) / 100;
      }
      next.add(left);
    }
  }

  /** The n-th collective of all ranks belongs together; who waits for whom depends on its kind. */
  private boolean arrived(State state, int rank, Call call) {
    for (int other = 0; other < ranks; other++) {
      boolean needed =
          switch (call.op) {
            case BARRIER -> true;
            case BCAST -> other == call.peer;
            default -> rank == call.peer;
          };
      if (needed && state.barriers[other] <= call.id) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTaken(State state, Call send) {
    return state.messages.get(send.peer).stream()
        .anyMatch(sent -> sent.id == send.id && sent.takenBy != NONE);
  }

  private static int taken(State state, int rank, Call receive) {
    return state.posts.get(rank).stream()
        .filter(post -> post.id == receive.id)
        .findFirst()
        .orElseThrow()
        .message;
  }

  private void match(State state, int rank, List<State> next) {
    List<Post> posts = state.posts.get(rank);
    List<Sent> messages = state.messages.get(rank);
    for (int p = 0; p < posts.size(); p++) {
      for (int m = 0; m < messages.size(); m++) {
        Post post = posts.get(p);
        Sent sent = messages.get(m);
        if (matchable(state, rank, post, sent) && control.allows(post.id, sent.id)) {
          State matched = new State(state);
          matched.posts.get(rank).set(p, new Post(post.id, post.source, post.tag, sent.id));
          matched.messages.get(rank).set(m, new Sent(sent.id, sent.tag, post.id));
          next.add(matched);
        }
      }
    }
  }

  /** Posting order and no overtaking. */
  private static boolean matchable(State state, int rank, Post post, Sent sent) {
    if (post.message != NONE || sent.takenBy != NONE || !post.accepts(sent)) {
      return false;
    }
    for (Post earlier : state.posts.get(rank)) {
      if (earlier == post) {
        break;
      }
      if (earlier.message == NONE && earlier.accepts(sent)) {
        return false;
      }
    }
    return isFirst(state, rank, post, sent);
  }

  private static boolean isFirst(State state, int rank, Post post, Sent sent) {
    for (Sent earlier : state.messages.get(rank)) {
      if (earlier.id / 100 == sent.id / 100
          && earlier.id < sent.id
          && earlier.takenBy == NONE
          && post.accepts(earlier)) {
        return false;
      }
    }
    return true;
  }

  /** A probe sees what a receive in its place would take. */
  private static boolean visible(State state, int rank, Call probe, Sent sent) {
    Post as = new Post(probe.id, probe.peer, probe.tag, NONE);
    return sent.takenBy == NONE
        && as.accepts(sent)
        && state.posts.get(rank).stream()
            .noneMatch(post -> post.message == NONE && post.accepts(sent))
        && isFirst(state, rank, as, sent);
  }
}
