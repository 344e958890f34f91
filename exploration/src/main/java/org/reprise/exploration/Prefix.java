package org.reprise.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/**
 * A part of an execution that is a state of the program, closed under what had to happen before:
 * what is left of it without the future of an outcome. It is sparse: a non-blocking receive may
 * have got its message later than one that was posted behind it, so decisions that are kept and
 * decisions that are not mix on a rank.
 *
 * @param orders all outcomes of the execution, by rank
 * @param returned by rank: how many of its calls have returned
 * @param calls by rank: how many of these had left something open
 * @param posts by rank: the non-blocking receives that have ended
 * @param failed by rank: how many polls had failed behind the last of these calls
 */
public record Prefix(
    List<RankPlan> orders,
    List<Integer> returned,
    List<Integer> calls,
    List<Set<Long>> posts,
    List<Long> failed) {
  public Prefix {
    orders = List.copyOf(orders);
    returned = List.copyOf(returned);
    calls = List.copyOf(calls);
    posts = posts.stream().map(Set::copyOf).toList();
    failed = List.copyOf(failed);
  }

  /** What forces it. */
  public List<RankPlan> plan() {
    return plan(Optional.empty());
  }

  /** What forces it, and one more outcome behind it. */
  public List<RankPlan> plan(Taken then) {
    return plan(Optional.of(then));
  }

  /** What forces it, and further outcomes of calls of one rank, with failed polls among them. */
  public List<RankPlan> plan(int rank, List<Outcome> then) {
    List<RankPlan> plan = new ArrayList<>(plan());
    RankPlan forced = orders.get(rank).upTo(calls.get(rank), Optional.empty(), post -> false);
    List<Outcome> all = new ArrayList<>(forced.calls());
    all.addAll(then);
    plan.set(rank, new RankPlan(all, plan.get(rank).posts()));
    return plan;
  }

  private List<RankPlan> plan(Optional<Taken> then) {
    List<RankPlan> plan = new ArrayList<>();
    for (int rank = 0; rank < orders.size(); rank++) {
      int here = rank;
      Optional<Taken> own = then.filter(each -> each.decision().rank() == here);
      Optional<Outcome> next =
          own.filter(each -> each.decision().kind() == Decision.Kind.CALL).map(Taken::outcome);
      RankPlan forced = orders.get(rank).upTo(calls.get(rank), next, posts.get(rank)::contains);
      if (next.isEmpty() && failed.get(rank) > 0) {
        forced = forced.with(new Outcome.FailedPolls(failed.get(rank)));
      }
      RankPlan kept = forced;
      plan.add(
          own.filter(each -> each.decision().kind() == Decision.Kind.POST)
              .map(each -> kept.withPost(each.decision().number(), each.outcome()))
              .orElse(kept));
    }
    return plan;
  }
}
