package org.reprise.exploration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.reprise.causality.Alternatives;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Futures;
import org.reprise.causality.Pairing;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;

/**
 * The polls of an execution, and the calls that choose among requests: what they came to, and what
 * else they could have come to. That a poll fails is an outcome like another, and always possible;
 * it succeeds if what it asks for can be there without what follows it.
 *
 * <p>A poll that fails again and again mostly waits, and each number of failures would be an
 * execution of its own. So of the same poll the first failures in a row are outcomes, a row being
 * all failures with no other call of the rank between them; what it comes to after these is left as
 * it came. For the same reason a poll is known by what it asks for, by how many events its rank had
 * before the row, and by how often it had failed there, and not by how many polls were made before.
 */
final class Polls {
  /** Of so many requests every subset is tried; of more each alone, and all together. */
  private static final int SUBSETS_OF_MAX = 6;

  private static final Outcome FAILED = new Outcome.FailedPolls(1);

  /**
   * A poll, or a call that chooses among requests.
   *
   * @param first the first event of the call; the last one is its decision's
   * @param failures how often it had failed in this row, this time included
   */
  private record Poll(int first, int event, Taken taken, int failures) {
    boolean failed() {
      return taken.outcome() instanceof Outcome.FailedPolls;
    }
  }

  private final Execution execution;
  private final EventGraph graph;
  private final EventTable events;
  private final Pairing pairing;
  private final Futures futures;
  private final Alternatives alternatives;
  private final CallNumbering numbering;
  private final int failuresMax;
  private final List<Poll> all = new ArrayList<>();
  private final Map<Integer, Poll> byEvent = new HashMap<>();
  private boolean bounded;
  private boolean untold;

  Polls(
      Execution execution,
      EventGraph graph,
      Futures futures,
      Alternatives alternatives,
      CallNumbering numbering,
      int failuresMax) {
    this.execution = execution;
    this.graph = graph;
    this.events = graph.events();
    this.pairing = graph.pairing();
    this.futures = futures;
    this.alternatives = alternatives;
    this.numbering = numbering;
    this.failuresMax = failuresMax;
    for (int rank = 0; rank < events.ranks(); rank++) {
      collect(rank);
    }
  }

  private void collect(int rank) {
    Map<Long, Integer> failures = new HashMap<>();
    long before = 0;
    int first = events.first(rank);
    for (int event = first; event < events.first(rank) + events.size(rank); event++) {
      EventKind kind = events.kind(event);
      switch (kind) {
        case MATCHED, UNMATCHED -> {}
        case POLLS -> failed(event, before, failures);
        default -> {
          boolean joined = !kind.isCollective() && events.is(event, EventFlag.JOINED);
          if (!joined) {
            succeeded(first, event, before, failures);
            before += event - first + 1;
          }
        }
      }
      boolean joined = !kind.isCollective() && events.is(event, EventFlag.JOINED);
      first = joined ? first : event + 1;
    }
  }

  private void failed(int event, long before, Map<Long, Integer> failures) {
    if (!events.is(event, EventFlag.POLL)) {
      bounded |= isKnown(event);
      untold |= !isKnown(event);
      return;
    }
    int count = failures.merge(name(event, event, before), 1, Integer::sum);
    add(event, event, before, count, FAILED);
  }

  private void succeeded(int first, int event, long before, Map<Long, Integer> failures) {
    Optional<Outcome> outcome =
        execution
            .decision(event)
            .filter(decision -> decision.kind() == Decision.Kind.CALL)
            .flatMap(execution::outcome);
    boolean polls = events.is(event, EventFlag.POLL) && events.kind(event) != EventKind.LOCAL;
    if (polls && outcome.isPresent() && !events.kind(event).isCollective()) {
      int count = failures.getOrDefault(name(first, event, before), 0) + 1;
      add(first, event, before, count, outcome.get());
    }
  }

  private void add(int first, int event, long before, int failures, Outcome outcome) {
    long name = mix(name(first, event, before), failures);
    Decision decision = new Decision(events.rank(event), Decision.Kind.POLL, name);
    Poll poll = new Poll(first, event, new Taken(decision, outcome), failures);
    all.add(poll);
    byEvent.put(event, poll);
  }

  /** Of windows and partitions it is not known when they would have succeeded. */
  private boolean isKnown(int event) {
    return pollOf(event)
        .map(poll -> poll != Wire.Poll.WIN_TEST && poll != Wire.Poll.PARRIVED)
        .orElse(true);
  }

  private Optional<Wire.Poll> pollOf(int event) {
    return Wire.Poll.ofCall("MPI_" + numbering.name(events.call(event)));
  }

  /** What makes two polls the same one: what they ask for, in one row. */
  private long name(int first, int event, long before) {
    long name = mix(mix(before, events.call(event)), asksForMessage(event) ? 1 : 0);
    if (asksForMessage(event)) {
      boolean anySource = events.is(event, EventFlag.ANY_SOURCE);
      boolean anyTag = events.is(event, EventFlag.ANY_TAG);
      name = mix(name, events.comm(event));
      name = mix(name, anySource ? -1 : events.peer(event));
      return mix(name, anyTag ? -1 : events.tag(event));
    }
    int base = events.first(events.rank(event));
    for (int request : events.asked(first)) {
      name = mix(name, request < 0 ? request : request - base);
    }
    return name;
  }

  private boolean asksForMessage(int event) {
    return switch (events.kind(event)) {
      case PROBE, MPROBE -> true;
      case POLLS -> events.asked(event).length == 0;
      default -> false;
    };
  }

  private static long mix(long hash, long value) {
    long mixed = (hash ^ value) * 0x9E37_79B9_7F4A_7C15L;
    return mixed ^ mixed >>> 29;
  }

  /** What all of them came to. */
  List<Taken> taken() {
    return all.stream().map(Poll::taken).toList();
  }

  /** Whether some poll failed more often than is tried both ways. */
  boolean isBounded() {
    return bounded;
  }

  /** Whether some poll's other answers are not tried, as it is not known what it asked for. */
  boolean leavesOpen() {
    return untold;
  }

  /** What those came to that do not need some outcome. */
  Set<Taken> kept(Futures.Future without) {
    Set<Taken> kept = new LinkedHashSet<>();
    for (Poll poll : all) {
      if (!without.holdsReturn(poll.event)) {
        kept.add(poll.taken);
      }
    }
    return kept;
  }

  /** What a poll comes to with another outcome, if the event is one. */
  Optional<Taken> otherwise(int event, Outcome outcome) {
    return Optional.ofNullable(byEvent.get(event))
        .map(poll -> new Taken(poll.taken.decision(), outcome));
  }

  /** Each answer that could have been another, and each choice of requests. */
  List<Flip> flips() {
    List<Flip> flips = new ArrayList<>();
    for (Poll poll : all) {
      Futures.Future without = futures.ofReturn(poll.first);
      if (poll.failed()) {
        if (asksForMessage(poll.event)) {
          messages(poll, without, flips);
        } else {
          requests(poll, without, flips);
        }
      } else {
        if (canFail(poll)) {
          flips.add(flip(poll, without, FAILED));
        }
        if (events.kind(poll.event) == EventKind.COMPLETE) {
          requests(poll, without, flips);
        }
      }
    }
    return flips;
  }

  private boolean canFail(Poll poll) {
    String call = numbering.name(events.call(poll.event));
    boolean waits = call.equals("Waitany") || call.equals("Waitsome");
    if (!waits && poll.failures > failuresMax) {
      bounded = true;
    }
    return !waits && poll.failures <= failuresMax && !events.is(poll.event, EventFlag.CANCELLED);
  }

  private Flip flip(Poll poll, Futures.Future without, Outcome outcome) {
    Taken taken = new Taken(poll.taken.decision(), outcome);
    long failed = execution.failedBefore(poll.first);
    List<Outcome> then = new ArrayList<>();
    if (outcome instanceof Outcome.FailedPolls) {
      then.add(new Outcome.FailedPolls(failed + 1));
    } else {
      if (failed > 0) {
        then.add(new Outcome.FailedPolls(failed));
      }
      then.add(outcome);
    }
    Set<Taken> polls = kept(without);
    polls.add(taken);
    int site = events.site(poll.event);
    long place = numbering.place(events.rank(poll.event), site);
    return new Flip(taken, execution.prefix(without), place, polls, then);
  }

  /** A probe that failed sees a message. */
  private void messages(Poll poll, Futures.Future without, List<Flip> into) {
    boolean wild =
        events.is(poll.event, EventFlag.ANY_SOURCE) || events.is(poll.event, EventFlag.ANY_TAG);
    Set<Outcome> outcomes = new LinkedHashSet<>();
    for (int message = 0; message < pairing.messages(); message++) {
      if (alternatives.obstacle(without, poll.event, message).isEmpty()) {
        outcomes.add(
            wild
                ? execution.outcome(poll.event, message)
                : new Outcome.Hit(
                    numbering.name(events.call(poll.event)).equals("Improbe")
                        ? Wire.Poll.IMPROBE
                        : Wire.Poll.IPROBE));
      }
    }
    outcomes.forEach(outcome -> into.add(flip(poll, without, outcome)));
  }

  /** Which requests of a call could have been complete, and what it would have said. */
  private void requests(Poll poll, Futures.Future without, List<Flip> into) {
    int[] asked = events.asked(poll.first);
    List<Integer> able = new ArrayList<>();
    int active = 0;
    for (int index = 0; index < asked.length; index++) {
      active += asked[index] == EventCursor.NULL_REQUEST ? 0 : 1;
      if (canBeComplete(asked[index], without)) {
        able.add(index);
      }
    }
    String call = numbering.name(events.call(poll.event));
    Set<Outcome> outcomes = new LinkedHashSet<>();
    switch (call) {
      case "Test", "Testall", "Request_get_status" -> {
        if (active > 0 && able.size() == active) {
          pollOf(poll.event).ifPresent(which -> outcomes.add(new Outcome.Hit(which)));
        }
      }
      case "Testany", "Waitany" ->
          able.forEach(index -> outcomes.add(new Outcome.Index(OptionalInt.of(index))));
      case "Testsome", "Waitsome" -> subsets(able, outcomes);
      default -> untold = true;
    }
    Outcome came = poll.taken.outcome();
    for (Outcome outcome : outcomes) {
      if (!inOrder(outcome).equals(inOrder(came))) {
        into.add(flip(poll, without, outcome));
      }
    }
  }

  /** In which order a call names the requests that it reports is the library's own business. */
  private static Outcome inOrder(Outcome outcome) {
    return outcome instanceof Outcome.Indices(boolean defined, List<Integer> indices)
        ? new Outcome.Indices(defined, indices.stream().sorted().toList())
        : outcome;
  }

  private void subsets(List<Integer> able, Set<Outcome> into) {
    if (able.size() > SUBSETS_OF_MAX) {
      untold = true;
      able.forEach(index -> into.add(new Outcome.Indices(true, List.of(index))));
      into.add(new Outcome.Indices(true, able));
      return;
    }
    for (int size = 1; size <= able.size(); size++) {
      Subsets.visit(able, size, some -> into.add(new Outcome.Indices(true, List.copyOf(some))));
    }
  }

  /** Whether a request can be complete in the state that is left without a future. */
  private boolean canBeComplete(int post, Futures.Future without) {
    if (post < 0) {
      untold |= post == EventCursor.UNKNOWN_REQUEST;
      return false;
    }
    int end = events.link(post);
    if (end >= 0 && events.is(end, EventFlag.CANCELLED)) {
      untold = true;
      return false;
    }
    return switch (events.kind(post)) {
      case POST_SEND -> {
        int receive = pairing.message(post) < 0 ? -1 : pairing.receive(pairing.message(post));
        boolean received = receive >= 0 && !without.holdsMatch(receive);
        boolean waits = events.is(post, EventFlag.SYNC);
        yield received || !waits && numbering.buffers(events.rank(post), events.bytes(post));
      }
      case POST_RECV -> {
        untold |= pairing.isAmbiguous(post);
        yield !without.holdsMatch(post);
      }
      case POST_MRECV -> true;
      case POST_COLLECTIVE -> {
        untold |= end < 0;
        boolean all = end >= 0;
        for (int other : end < 0 ? new int[0] : graph.awaited(end)) {
          all &= !without.holdsEntry(other);
        }
        yield all;
      }
      default -> false;
    };
  }
}
