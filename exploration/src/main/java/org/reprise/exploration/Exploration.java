package org.reprise.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.reprise.causality.Notice;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/**
 * The search through all executions of a program, each class of them once: two executions are of
 * one class if every decision of them came to the same.
 *
 * <p>From an execution follow plans: for each outcome that could have been another, that other one,
 * with the largest part of the execution that does not need the outcome. A plan that some execution
 * has in it already is not run. So each run is new, and each class is found, whatever the parts
 * that a plan leaves free come to: let C be visited and D be another class; what both have in
 * common can be extended by an outcome of D that C decided otherwise, which is a race of C; its
 * plan holds all of the common part and that outcome, so the run that comes of it has more in
 * common with D. This is dynamic partial order reduction (Flanagan and Godefroid 2005) with plans
 * in place of backtracking points; it is as optimal as that with wakeup trees (Abdulla, Aronis,
 * Jonsson and Sagonas 2014), which keep a path instead of all classes, and takes any order of
 * plans.
 */
public final class Exploration {
  /** So many plans are compared before one is taken. */
  private static final int COMPARED = 24;

  /** Of so many executions the events are kept, for runs that are cut short. */
  private static final int TRACES_KEPT = 1000;

  /**
   * What is searched for.
   *
   * @param bound executions with at most so many outcomes other than in the first one; all if empty
   * @param fixed outcomes of these decisions are not changed: all executions that have the others
   *     are found if those are a state that can be reached
   * @param pollFailures answers of polls and choices of requests are changed, too, and so many
   *     failures in a row of the same poll count; 0: they stay as they come
   * @param draw a number below the one it is given: which plans are looked at, if there are many
   */
  public record Request(
      OptionalInt bound,
      Preference preference,
      Set<Decision> fixed,
      int pollFailures,
      IntUnaryOperator draw) {
    /** All executions, and always the same plan next. */
    public static final Request ALL =
        new Request(OptionalInt.empty(), Preference.NEW, Set.of(), 0, _ -> 0);

    public Request {
      fixed = Set.copyOf(fixed);
    }

    public Request(OptionalInt bound, Preference preference, IntUnaryOperator draw) {
      this(bound, preference, Set.of(), 0, draw);
    }

    /** All executions that have the same outcomes there as the first one. */
    public static Request within(Set<Decision> fixed) {
      return new Request(OptionalInt.empty(), Preference.NEW, fixed, 0, _ -> 0);
    }

    /** The same, and polls come to what else they could have. */
    public Request withPolls(int failures) {
      return new Request(bound, preference, fixed, failures, draw);
    }
  }

  /** Which plan comes next. */
  public enum Preference {
    /** One with the most pairs of outcomes that no execution had together with the changed one. */
    NEW,
    /** One that changes an outcome at a place in the source where the fewest were changed. */
    LINES,
    /** Any. */
    RANDOM
  }

  /**
   * A plan that is to be run.
   *
   * @param parent the number of the execution that it comes of
   */
  public record Planned(int parent, Flip flip, List<RankPlan> ranks, Set<Taken> forced) {}

  /** What an execution was, and what is new in it. */
  public sealed interface Added {
    /** What of its events limits what can be said of it. */
    Set<Notice.Kind> notices();

    /**
     * A class that was not seen before: its outcomes, and the flips that follow from it and were
     * not known.
     *
     * @param polls what polls came to, where that is searched, too
     * @param left what of its polls and choices of requests is not tried
     */
    record Fresh(
        List<RankPlan> orders,
        List<Flip> flips,
        Set<Taken> polls,
        Set<Left> left,
        Set<Notice.Kind> notices)
        implements Added {
      public Fresh {
        orders = List.copyOf(orders);
        flips = List.copyOf(flips);
        polls = Set.copyOf(polls);
        left = Set.copyOf(left);
        notices = Set.copyOf(notices);
      }
    }

    /** One that was seen before. */
    record Known(Set<Notice.Kind> notices) implements Added {
      public Known {
        notices = Set.copyOf(notices);
      }
    }
  }

  /**
   * How an execution ended before all ranks had done what they could.
   *
   * @param rank the one that brought it about, if that is known
   */
  public record CutShort(OptionalInt rank) {}

  /** What else of polls and of choices of requests is not tried. */
  public enum Left {
    /** Any answer but the one that came. */
    ANSWERS,
    /** What a poll answers after it has failed as often in a row as is told apart. */
    LATER_ANSWERS
  }

  private record Open(int parent, Flip flip, int[] forced, int changed) {}

  /** By place in the source: how many plans have changed an outcome there. */
  private final Map<Long, Integer> tried = new HashMap<>();

  /** How many plans there were in all, of all classes. */
  private long plans;

  private final Request request;
  private final Visited visited = new Visited();
  private final List<Open> open = new ArrayList<>();
  private final Set<List<Integer>> planned = new HashSet<>();
  private final List<int[]> running = new ArrayList<>();
  private final Map<Decision, Outcome> first = new HashMap<>();
  private final Map<Integer, List<RankTrace>> traces =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, List<RankTrace>> eldest) {
          return size() > TRACES_KEPT;
        }
      };
  private long executions;
  private long redundant;
  private long notFollowed;
  private boolean lostTraces;
  private boolean uncertain;
  private final Set<Left> left = EnumSet.noneOf(Left.class);

  public Exploration(Request request) {
    this.request = request;
  }

  /**
   * Adds an execution.
   *
   * @param plan what it was to do; nothing for the first one
   * @param ranks what its ranks did
   * @param cut if it was cut short
   */
  public Added add(
      Optional<Planned> plan,
      List<RankTrace> ranks,
      Optional<CutShort> cut,
      CallNumbering numbering) {
    executions++;
    List<RankTrace> all = cut.isPresent() && plan.isPresent() ? extended(plan.get(), ranks) : ranks;
    List<RankTrace> ended = plan.map(each -> withLate(each, all)).orElse(all);
    Execution execution = Execution.of(ended, numbering, request.pollFailures);
    Set<Taken> taken = new LinkedHashSet<>(execution.taken());
    Set<Notice.Kind> notices = EnumSet.noneOf(Notice.Kind.class);
    execution.graph().notices().forEach(notice -> notices.add(notice.kind()));
    List<Integer> openMatches = execution.openMatches();
    if (!openMatches.isEmpty()) {
      notices.add(Notice.Kind.PAIRING_AMBIGUOUS);
    }
    uncertain |= !notices.isEmpty();
    if (plan.isPresent()) {
      end(plan.get());
      if (cut.isPresent()) {
        taken.addAll(plan.get().forced());
      }
      notFollowed += taken.containsAll(plan.get().forced()) ? 0 : 1;
    }
    int[] pairs = visited.numbers(taken);
    if (visited.covers(pairs)) {
      redundant++;
      return new Added.Known(notices);
    }
    List<Flip> flips = new ArrayList<>(flips(execution));
    execution.pollsTold().ifPresent(polls -> flips.addAll(polls.flips()));
    Set<Left> leaves = leaves(execution);
    left.addAll(leaves);
    flips.addAll(execution.flipsOf(openMatches));
    cut.ifPresent(how -> flips.addAll(execution.flipsBeforeCut(last(execution, how))));
    List<Flip> planned = add(pairs, taken, flips);
    traces.put(visited.size() - 1, ranks);
    return new Added.Fresh(
        execution.orders(),
        planned,
        execution.pollsTold().map(polls -> Set.copyOf(polls.taken())).orElseGet(Set::of),
        leaves,
        notices);
  }

  private static Set<Left> leaves(Execution execution) {
    Set<Left> leaves = EnumSet.noneOf(Left.class);
    if (execution.pollsTold().map(Polls::leavesOpen).orElseGet(execution::polls)) {
      leaves.add(Left.ANSWERS);
    }
    if (execution.pollsTold().filter(Polls::isBounded).isPresent()) {
      leaves.add(Left.LATER_ANSWERS);
    }
    return leaves;
  }

  private List<Flip> flips(Execution execution) {
    if (request.bound.isEmpty()) {
      return execution.flips();
    }
    Map<Decision, Outcome> from = first.isEmpty() ? decided(execution.taken()) : first;
    return execution.flips(from, request.bound.getAsInt());
  }

  private static Map<Decision, Outcome> decided(Set<Taken> taken) {
    Map<Decision, Outcome> decided = new HashMap<>();
    taken.forEach(each -> decided.put(each.decision(), each.outcome()));
    return decided;
  }

  private static OptionalInt last(Execution execution, CutShort cut) {
    var events = execution.graph().events();
    return cut.rank().isPresent() && events.size(cut.rank().getAsInt()) > 0
        ? OptionalInt.of(
            events.event(cut.rank().getAsInt(), events.size(cut.rank().getAsInt()) - 1))
        : OptionalInt.empty();
  }

  /** Adds an execution of which the flips are known. */
  public void restore(List<RankPlan> orders, List<Flip> flips) {
    restore(orders, Set.of(), flips);
  }

  /** The same, of a search that goes on and in which polls count. */
  public void restore(List<RankPlan> orders, Set<Taken> polls, List<Flip> flips) {
    executions++;
    Set<Taken> taken = Taken.of(orders);
    taken.addAll(polls);
    add(visited.numbers(taken), taken, flips);
  }

  /** Some execution of a search that goes on left this. */
  public void restore(Left what) {
    left.add(what);
  }

  /** Counts an execution of a search that goes on, which was of a class seen before. */
  public void restoreKnown() {
    executions++;
    redundant++;
  }

  /** Those of the flips that promise something new. */
  private List<Flip> add(int[] pairs, Set<Taken> taken, List<Flip> flips) {
    if (visited.size() == 0) {
      first.putAll(decided(taken));
    }
    int number = visited.add(pairs);
    List<Flip> fresh = new ArrayList<>();
    for (Flip flip : flips) {
      if (request.fixed.contains(flip.taken().decision())) {
        continue;
      }
      int[] forced = visited.numbers(flip.forced());
      if (!visited.covers(forced) && planned.add(Arrays.stream(forced).boxed().toList())) {
        open.add(new Open(number, flip, forced, visited.number(flip.taken())));
        plans++;
        fresh.add(flip);
      }
    }
    return fresh;
  }

  /**
   * A program may end before a receive that it never waits for has got its message: what the plan
   * gave it, nobody else has taken.
   */
  private static List<RankTrace> withLate(Planned plan, List<RankTrace> ranks) {
    List<RankTrace> ended = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      RankTrace trace = ranks.get(rank);
      RankPlan order = trace.order();
      for (Map.Entry<Long, Outcome> post : plan.ranks.get(rank).posts().entrySet()) {
        Outcome came = order.posts().get(post.getKey());
        if (came == null || !Taken.isTaken(came)) {
          order = order.withPost(post.getKey(), post.getValue());
        }
      }
      ended.add(new RankTrace(trace.communicators(), trace.events(), order));
    }
    return ended;
  }

  /**
   * An abort may come before the plan is used up: each rank has done at least what the plan was
   * made of. Where the cut run has less than that, it is taken from there.
   */
  private List<RankTrace> extended(Planned plan, List<RankTrace> cut) {
    List<RankTrace> parent = traces.get(plan.parent);
    List<RankTrace> longer = new ArrayList<>();
    for (int rank = 0; rank < cut.size(); rank++) {
      int planned = plan.flip.prefix().returned().get(rank);
      boolean enough = cut.get(rank).events().size() >= planned;
      lostTraces |= !enough && parent == null;
      longer.add(
          enough || parent == null
              ? cut.get(rank)
              : parent.get(rank).upTo(planned, plan.flip.prefix().plan().get(rank)));
    }
    return longer;
  }

  /**
   * The plan that is to be run next; empty if there is none now. While others run, only plans that
   * contradict each of them are handed out: no run of theirs can be one of this plan.
   */
  public Optional<Planned> next() {
    while (!open.isEmpty()) {
      int best = -1;
      int most = -1;
      boolean dropped = false;
      for (int i = 0; i < COMPARED && !open.isEmpty() && !dropped; i++) {
        boolean all = open.size() <= COMPARED && request.preference != Preference.RANDOM;
        int at = all ? i : request.draw.applyAsInt(open.size());
        if (at >= open.size()) {
          break;
        }
        Open each = open.get(at);
        if (visited.covers(each.forced)) {
          drop(at);
          dropped = true;
        } else if (contradictsRunning(each)) {
          int worth = worth(each);
          if (worth > most) {
            most = worth;
            best = at;
          }
        }
      }
      if (dropped) {
        continue;
      }
      if (best < 0) {
        return Optional.empty();
      }
      Open chosen = open.get(best);
      drop(best);
      running.add(chosen.forced);
      Flip flip = chosen.flip;
      tried.merge(flip.place(), 1, Integer::sum);
      return Optional.of(new Planned(chosen.parent, flip, flip.plan(), flip.forced()));
    }
    return Optional.empty();
  }

  /** What a plan promises, by what is preferred; not below 0. */
  private int worth(Open plan) {
    return switch (request.preference) {
      case NEW -> visited.newWith(plan.changed, plan.forced);
      case LINES -> Integer.MAX_VALUE - tried.getOrDefault(plan.flip.place(), 0);
      case RANDOM -> 0;
    };
  }

  /**
   * How many plans a class brought that were in no other: the search comes to an end where this
   * falls below one.
   */
  public double plansPerClass() {
    return visited.size() == 0 ? 0 : (double) plans / visited.size();
  }

  /** A plan that was handed out comes to nothing: the program could not follow it. */
  public void giveUp(Planned plan) {
    executions++;
    notFollowed++;
    end(plan);
  }

  /** The run of a plan has ended; what it was is told by {@link #restore}. */
  public void end(Planned plan) {
    int[] was = visited.numbers(plan.forced());
    running.removeIf(other -> Arrays.equals(other, was));
  }

  private void drop(int at) {
    open.set(at, open.getLast());
    open.removeLast();
  }

  private boolean contradictsRunning(Open plan) {
    if (running.isEmpty()) {
      return true;
    }
    Map<Decision, Outcome> decided = decided(plan.flip.forced());
    return running.stream().allMatch(other -> visited.contradicts(other, decided));
  }

  /** How many runs were added. */
  public long executions() {
    return executions;
  }

  /** How many classes they were of. */
  public int classes() {
    return visited.size();
  }

  /** How many runs were of a class seen before. */
  public long redundant() {
    return redundant;
  }

  /** How many runs did not do what their plan said. */
  public long notFollowed() {
    return notFollowed;
  }

  /**
   * How many plans are waiting, at most: some are in executions that were run meanwhile. Quickly
   * told, after each execution.
   */
  public int waiting() {
    return open.size();
  }

  /** How many plans are open; some may turn out to be in executions that are still to come. */
  public int open() {
    open.removeIf(each -> visited.covers(each.forced));
    return open.size();
  }

  /** What else calls that polled or chose requests could have come to, and was not tried. */
  public Set<Left> leaves() {
    return Set.copyOf(left);
  }

  /** Whether the events of an execution leave open what some receive took. */
  public boolean isUncertain() {
    return uncertain || lostTraces;
  }

  /** Whether nothing is left to be tried, and what was tried is all there is. */
  public boolean isComplete() {
    return open() == 0 && running.isEmpty() && notFollowed == 0 && !isUncertain();
  }
}
