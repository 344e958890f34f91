package org.reprise.exploration;

import java.util.List;
import java.util.Set;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/**
 * One outcome of an execution changed: a receive or probe gets another message. Forced with it is
 * the largest part of the execution that does not need the outcome it had; the causal past of the
 * race alone would not do, since free receives elsewhere could then fall back to what was seen
 * before, and orders that differ in several places would never be found.
 *
 * @param taken the decision, and what it is to come to
 * @param prefix what is forced besides
 * @param place where in the program the decision is taken, the same for all executions
 * @param polls what polls come to, where that is searched, too: a plan has only how many fail
 * @param then of a poll: what the calls of its rank come to behind what is forced
 */
public record Flip(Taken taken, Prefix prefix, long place, Set<Taken> polls, List<Outcome> then) {
  public Flip {
    polls = Set.copyOf(polls);
    then = List.copyOf(then);
  }

  /** One of a search that leaves polls as they come. */
  public Flip(Taken taken, Prefix prefix, long place) {
    this(taken, prefix, place, Set.of(), List.of());
  }

  /** What each rank is to do. */
  public List<RankPlan> plan() {
    return then.isEmpty() ? prefix.plan(taken) : prefix.plan(taken.decision().rank(), then);
  }

  /** All outcomes that are forced, the changed one among them: a state that can be reached. */
  public Set<Taken> forced() {
    Set<Taken> forced = Taken.of(plan());
    forced.addAll(polls);
    return forced;
  }
}
