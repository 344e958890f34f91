package org.reprise.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.reprise.causality.Alternatives;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Futures;
import org.reprise.causality.races.Races;
import org.reprise.trace.events.Communicator;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventList;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/**
 * One execution of a program: its events, and the decisions in it with what each came to. Which
 * outcome of an order belongs to which event follows from the order of both.
 */
public final class Execution {
  private final EventGraph graph;
  private final Futures futures;
  private final Alternatives alternatives;
  private final List<RankPlan> orders;
  private final CallNumbering numbering;

  /** By rank: the events of the calls that left something open, in their order. */
  private final List<int[]> calls = new ArrayList<>();

  /** By rank: the events of non-blocking operations, by post number. */
  private final List<int[]> posts = new ArrayList<>();

  private final Map<Integer, Decision> decisionOf = new HashMap<>();
  private final Map<Decision, Integer> eventOf = new HashMap<>();
  private final Set<Taken> taken = new LinkedHashSet<>();
  private final Map<Decision, Outcome> outcomeOf = new HashMap<>();
  private final Optional<Polls> polls;

  /** Decisions of a graph, with the orders of its ranks; polls are left as they came. */
  public Execution(EventGraph graph, List<RankPlan> orders, CallNumbering numbering) {
    this(graph, orders, numbering, 0);
  }

  /**
   * The same.
   *
   * @param failuresMax so many failures in a row of the same poll are outcomes as others are; 0:
   *     polls are left as they came
   */
  Execution(EventGraph graph, List<RankPlan> orders, CallNumbering numbering, int failuresMax) {
    this.graph = graph;
    this.orders = new ArrayList<>(orders);
    this.numbering = numbering;
    futures = new Futures(graph);
    alternatives = new Alternatives(futures);
    OrderAlignment alignment = new OrderAlignment(graph.events(), numbering);
    for (int rank = 0; rank < graph.events().ranks(); rank++) {
      calls.add(alignment.calls(rank, orders.get(rank)));
      posts.add(alignment.posts(rank));
      this.orders.set(rank, reached(rank));
      decide(rank);
    }
    polls =
        failuresMax > 0
            ? Optional.of(new Polls(this, graph, futures, alternatives, numbering, failuresMax))
            : Optional.empty();
    polls.ifPresent(each -> taken.addAll(each.taken()));
  }

  /** The execution of ranks that may have been ended in the middle. */
  public static Execution of(List<RankTrace> ranks, CallNumbering numbering) {
    return of(ranks, numbering, 0);
  }

  /** The same, with polls as outcomes where so many failures in a row are told apart. */
  public static Execution of(List<RankTrace> ranks, CallNumbering numbering, int failuresMax) {
    List<EventList> events = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      RankTrace trace = ranks.get(rank).closed(numbering);
      events.add(new EventList(rank, ranks.size(), trace.communicators(), trace.events()));
    }
    return new Execution(
        EventGraph.of(ranks.size(), events),
        ranks.stream().map(RankTrace::order).toList(),
        numbering,
        failuresMax);
  }

  /** The order of a rank without an outcome that has no event. */
  private RankPlan reached(int rank) {
    int made = posts.get(rank).length;
    return orders.get(rank).upTo(calls.get(rank).length, Optional.empty(), post -> post < made);
  }

  private void decide(int rank) {
    List<Outcome> outcomes = OrderAlignment.outcomes(orders.get(rank));
    int[] events = calls.get(rank);
    for (int i = 0; i < events.length; i++) {
      decide(new Decision(rank, Decision.Kind.CALL, i), events[i], outcomes.get(i));
    }
    int[] posted = posts.get(rank);
    for (int post = 0; post < posted.length; post++) {
      Outcome outcome = orders.get(rank).posts().get((long) post);
      Decision decision = new Decision(rank, Decision.Kind.POST, post);
      if (outcome != null && Taken.isTaken(outcome)) {
        decide(decision, posted[post], outcome);
      } else {
        decisionOf.put(posted[post], decision);
        eventOf.put(decision, posted[post]);
      }
    }
  }

  private void decide(Decision decision, int event, Outcome outcome) {
    decisionOf.put(event, decision);
    eventOf.put(decision, event);
    taken.add(new Taken(decision, outcome));
    outcomeOf.put(decision, outcome);
  }

  public EventGraph graph() {
    return graph;
  }

  public Alternatives alternatives() {
    return alternatives;
  }

  /** The outcomes of each rank. */
  public List<RankPlan> orders() {
    return List.copyOf(orders);
  }

  /**
   * Whether calls polled, or could have reported other requests than they did. Polls that only
   * failed are no outcomes, and may be the last thing that a rank did before it named its source.
   */
  public boolean polls() {
    EventTable events = graph.events();
    for (int event = 0; event < events.size(); event++) {
      EventKind kind = events.kind(event);
      if (kind == EventKind.POLLS || !kind.isCollective() && events.is(event, EventFlag.POLL)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Receives that may have taken a message, though nobody knows which: one is left over that they
   * accept, and they are open. The order of a rank that was ended in the middle may not have it.
   */
  List<Integer> openMatches() {
    EventTable events = graph.events();
    List<Integer> open = new ArrayList<>();
    for (int rank = 0; rank < events.ranks(); rank++) {
      for (int post : numbering.knowsOpenReceives(rank) ? new int[0] : posts.get(rank)) {
        if (events.kind(post) == EventKind.POST_RECV
            && graph.pairing().message(post) < 0
            && IntStream.range(0, graph.pairing().messages()).anyMatch(m -> mayBe(post, m))) {
          open.add(post);
        }
      }
    }
    return open;
  }

  private boolean mayBe(int post, int message) {
    int sent = graph.pairing().send(message);
    return graph.pairing().receive(message) < 0
        && graph.events().peer(sent) == graph.events().rank(post)
        && alternatives.accepts(post, sent);
  }

  /**
   * Each message that a receive might have taken which left it open: what its rank did behind its
   * post may depend on it, and is left free.
   */
  List<Flip> flipsOf(List<Integer> openMatches) {
    List<Flip> flips = new ArrayList<>();
    for (int post : openMatches) {
      Futures.Future without = futures.ofReturn(post);
      for (int message = 0; message < graph.pairing().messages(); message++) {
        if (isWild(post) && alternatives.obstacle(without, post, message).isEmpty()) {
          flips.add(flip(without, post, message));
        }
      }
    }
    return flips;
  }

  /** Every decision of it that was taken, with its outcome. */
  public Set<Taken> taken() {
    return taken;
  }

  /** The decision that was taken at an event: at the post of a non-blocking receive. */
  public Optional<Decision> decision(int event) {
    return Optional.ofNullable(decisionOf.get(event));
  }

  /** The event of a decision, if it was reached. */
  public OptionalInt event(Decision decision) {
    Integer event = eventOf.get(decision);
    return event == null ? OptionalInt.empty() : OptionalInt.of(event);
  }

  /** What a receive or probe comes to if it gets this message. */
  public Outcome outcome(int event, int message) {
    EventTable events = graph.events();
    int sent = graph.pairing().send(message);
    Communicator comm = events.communicators().get(events.comm(event));
    int source = sourceIn(comm, events.rank(event), events.rank(sent));
    OptionalInt tag =
        events.is(event, EventFlag.ANY_TAG)
            ? OptionalInt.of(events.tag(sent))
            : OptionalInt.empty();
    Decision decision = decisionOf.get(event);
    return switch (events.kind(event)) {
      case POST_RECV -> new Outcome.Post(decision == null ? 0 : decision.number(), source, tag);
      case PROBE, MPROBE, POLLS ->
          events.is(event, EventFlag.POLL)
              ? new Outcome.Found(source, tag)
              : new Outcome.Probe(source, tag);
      default -> new Outcome.Recv(source, tag);
    };
  }

  /** An intercommunicator is known as one of its sides has it; a member names the other side. */
  private static int sourceIn(Communicator comm, int own, int world) {
    boolean local = comm.remote().size() == 0 || comm.remote().indexOf(own) >= 0;
    return (local ? comm.group() : comm.remote()).indexOf(world);
  }

  /** Every single outcome that could have been another, with the part that does not need it. */
  public List<Flip> flips() {
    List<Flip> flips = new ArrayList<>();
    Races.visit(
        graph,
        (receive, messages) -> {
          Decision decision = decisionOf.get(receive);
          if (decision != null) {
            Futures.Future without = futures.of(receive);
            for (int message : messages) {
              flips.add(flip(without, receive, message));
            }
          }
        });
    return flips;
  }

  /** A receive or probe gets another message; what follows its own outcome is left free. */
  public Flip flip(int receive, int message) {
    return flip(futures.of(receive), receive, message);
  }

  private Flip flip(Futures.Future without, int receive, int message) {
    Decision decision = decisionOf.get(receive);
    if (decision == null) {
      throw new IllegalArgumentException("no decision at event " + receive);
    }
    EventTable events = graph.events();
    Taken taken = new Taken(decision, outcome(receive, message));
    Set<Taken> answered = polls.map(each -> each.kept(without)).orElseGet(Set::of);
    polls.flatMap(each -> each.otherwise(receive, taken.outcome())).ifPresent(answered::add);
    return new Flip(
        taken,
        prefix(without),
        numbering.place(events.rank(receive), events.site(receive)),
        answered,
        List.of());
  }

  /** Polls, and calls that choose among requests, where these are explored. */
  Optional<Polls> pollsTold() {
    return polls;
  }

  /** How many polls had failed before a call, since the last one that left something else open. */
  long failedBefore(int event) {
    return failedInto(graph.events().rank(event), event);
  }

  private long failedInto(int rank, int end) {
    EventTable events = graph.events();
    long failed = 0;
    for (int e = end - 1; e >= events.first(rank); e--) {
      if (events.kind(e) == EventKind.POLLS) {
        failed += events.bytes(e);
      } else if (isDecidedByCall(e)) {
        break;
      }
    }
    return failed;
  }

  private boolean isDecidedByCall(int event) {
    Decision decision = decisionOf.get(event);
    return decision != null && decision.kind() == Decision.Kind.CALL;
  }

  /** What is left of this execution without the outcome of a call, and what follows it. */
  public Prefix before(int event) {
    return prefix(futures.ofReturn(OrderAlignment.firstOfCall(graph.events(), event)));
  }

  /**
   * The decisions that had a choice, in an order in which they can be taken: what follows an
   * outcome comes behind it.
   */
  public List<Decision> choices() {
    Map<Decision, Long> futureSizes = new HashMap<>();
    for (Taken each : taken) {
      if (isChoice(each.decision()) && eventOf.containsKey(each.decision())) {
        futureSizes.put(each.decision(), futures.of(eventOf.get(each.decision())).size());
      }
    }
    return futureSizes.entrySet().stream()
        .sorted(
            Map.Entry.<Decision, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** What is left of this execution without some outcomes, and what follows them. */
  public Prefix without(Collection<Decision> gone) {
    return prefix(
        futures.ofAll(gone.stream().mapToInt(each -> eventOf.getOrDefault(each, 0)).toArray()));
  }

  /** Of some decisions those whose outcome another one may depend on, and that one itself. */
  public Set<Decision> past(Decision of, Collection<Decision> among) {
    Set<Decision> past = new LinkedHashSet<>(Set.of(of));
    for (Decision each : among) {
      Futures.Future future = futures.of(eventOf.getOrDefault(each, 0));
      int event = eventOf.getOrDefault(of, 0);
      boolean match = isReceive(event) && graph.pairing().message(event) >= 0;
      if (match ? future.holdsMatch(event) : future.holdsReturn(event)) {
        past.add(each);
      }
    }
    return past;
  }

  private boolean isReceive(int event) {
    return switch (graph.events().kind(event)) {
      case RECV, POST_RECV, MPROBE -> true;
      default -> false;
    };
  }

  /** What a decision came to, if it was taken. */
  public Optional<Outcome> outcome(Decision decision) {
    return Optional.ofNullable(outcomeOf.get(decision));
  }

  /** What is left of this execution without some future. */
  Prefix prefix(Futures.Future without) {
    EventTable events = graph.events();
    List<Integer> returned = new ArrayList<>();
    List<Long> failed = new ArrayList<>();
    List<Integer> forced = new ArrayList<>();
    List<Set<Long>> posts = new ArrayList<>();
    for (int rank = 0; rank < events.ranks(); rank++) {
      int before = without.returned(rank);
      int kept = withoutTail(rank, before);
      returned.add(kept);
      failed.add(failedInto(rank, events.first(rank) + kept));
      forced.add(
          (int)
              Arrays.stream(calls.get(rank))
                  .filter(event -> events.number(event) < before)
                  .count());
      posts.add(keptPosts(rank, without));
    }
    return new Prefix(orders, returned, forced, posts, failed);
  }

  /** How many of a rank's first calls count: what concerns nobody else at their end does not. */
  private int withoutTail(int rank, int calls) {
    int count = calls;
    while (count > 0 && concernsNobody(graph.events().event(rank, count - 1))) {
      count--;
    }
    return count;
  }

  private boolean concernsNobody(int event) {
    return switch (graph.events().kind(event)) {
      case LOCAL, MATCHED, UNMATCHED -> true;
      case POLLS -> polls.isEmpty() || !graph.events().is(event, EventFlag.POLL);
      default -> false;
    };
  }

  private Set<Long> keptPosts(int rank, Futures.Future without) {
    Set<Long> kept = new HashSet<>();
    int[] posted = posts.get(rank);
    orders
        .get(rank)
        .posts()
        .forEach(
            (post, outcome) -> {
              if (post < posted.length && isKept(posted[post.intValue()], outcome, without)) {
                kept.add(post);
              }
            });
    return kept;
  }

  private boolean isKept(int event, Outcome outcome, Futures.Future without) {
    if (outcome instanceof Outcome.Post) {
      return !without.holdsMatch(event);
    }
    // Cancelled: it is so once the call that said so has returned.
    int end = graph.events().link(event);
    return Taken.isTaken(outcome) && end >= 0 && !without.holdsReturn(end);
  }

  /** The same change with the largest part that does without some other outcomes, too. */
  private Optional<Flip> without(int receive, int message, Collection<Taken> others) {
    int[] gone =
        IntStream.concat(
                IntStream.of(receive),
                others.stream().mapToInt(each -> eventOf.getOrDefault(each.decision(), receive)))
            .toArray();
    Futures.Future without = futures.ofAll(gone);
    return alternatives.obstacle(without, receive, message).isEmpty()
        ? Optional.of(flip(without, receive, message))
        : Optional.empty();
  }

  /**
   * The flips that lead to executions with at most so many outcomes other than those of a first
   * one. Where a flip forces more, each way to leave out as many as there are too many is tried:
   * what is not forced may come to be as it was there.
   */
  public List<Flip> flips(Map<Decision, Outcome> first, int bound) {
    List<Flip> flips = new ArrayList<>();
    Races.visit(
        graph,
        (receive, messages) -> {
          for (int message : decisionOf.containsKey(receive) ? messages : new int[0]) {
            Flip flip = flip(receive, message);
            List<Taken> other =
                flip.forced().stream()
                    .filter(each -> !each.equals(flip.taken()))
                    .filter(each -> isChoice(each.decision()) && differs(each, first))
                    .toList();
            int most = bound - (differs(flip.taken(), first) ? 1 : 0);
            if (other.size() <= most) {
              flips.add(flip);
            } else if (most >= 0) {
              Subsets.visit(
                  other,
                  other.size() - most,
                  gone -> without(receive, message, gone).ifPresent(flips::add));
            }
          }
        });
    return flips;
  }

  /** A receive of any tag that names its source has no choice, whatever stands in the order. */
  private boolean isChoice(Decision decision) {
    int event = eventOf.getOrDefault(decision, EventTable.NONE);
    return event < 0
        || switch (graph.events().kind(event)) {
          case RECV, POST_RECV, MPROBE, PROBE -> isWild(event);
          default -> true;
        };
  }

  /** Which message of its source it was follows from the other outcomes, and so does the tag. */
  private static Outcome withoutTag(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Recv(int source, _) -> new Outcome.Recv(source, OptionalInt.empty());
      case Outcome.Probe(int source, _) -> new Outcome.Probe(source, OptionalInt.empty());
      case Outcome.Found(int source, _) -> new Outcome.Found(source, OptionalInt.empty());
      case Outcome.Post(long post, int source, _) ->
          new Outcome.Post(post, source, OptionalInt.empty());
      default -> outcome;
    };
  }

  private static boolean differs(Taken each, Map<Decision, Outcome> first) {
    Outcome then = first.get(each.decision());
    return then != null && !sameSource(then, each.outcome());
  }

  /** Whether two outcomes of one decision are a message of the same source. */
  static boolean sameSource(Outcome one, Outcome other) {
    return withoutTag(one).equals(withoutTag(other));
  }

  /**
   * More that can be tried from an execution that was cut short, by an abort or a crash, so that
   * ranks did not get as far as they would have. For each outcome that led to the cut: what could
   * have happened next if it had not.
   *
   * @param last the last event before the cut, of the rank that brought it about; empty if nobody
   *     knows, and then every outcome counts as one that led to it
   */
  List<Flip> flipsBeforeCut(OptionalInt last) {
    List<Flip> flips = new ArrayList<>();
    EventTable events = graph.events();
    for (Taken each : taken) {
      int event = eventOf.getOrDefault(each.decision(), EventTable.NONE);
      if (event == EventTable.NONE) {
        continue;
      }
      Futures.Future without = futures.of(event);
      if (last.isPresent() && !without.holdsReturn(last.getAsInt())) {
        continue;
      }
      for (int receive = 0; receive < events.size(); receive++) {
        if (isWild(receive) && decisionOf.containsKey(receive) && isOpen(receive, without)) {
          addEnabled(receive, without, each, flips);
        }
      }
    }
    return flips;
  }

  private boolean isWild(int event) {
    return switch (graph.events().kind(event)) {
      case RECV, POST_RECV, MPROBE, PROBE -> graph.events().is(event, EventFlag.ANY_SOURCE);
      default -> false;
    };
  }

  private boolean isOpen(int receive, Futures.Future without) {
    boolean probe = graph.events().kind(receive) == EventKind.PROBE;
    return !without.holdsEntry(receive)
        && (probe ? without.holdsReturn(receive) : without.holdsMatch(receive));
  }

  private void addEnabled(int receive, Futures.Future without, Taken gone, List<Flip> into) {
    for (int message = 0; message < graph.pairing().messages(); message++) {
      if (alternatives.obstacle(without, receive, message).isEmpty()) {
        Flip flip = flip(without, receive, message);
        if (!flip.taken().equals(gone)) {
          into.add(flip);
        }
      }
    }
  }
}
