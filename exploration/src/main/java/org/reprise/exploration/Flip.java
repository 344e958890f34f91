package org.reprise.exploration;

import java.util.List;
import java.util.Set;
import org.reprise.trace.order.RankPlan;

/**
 * One outcome of an execution changed: a receive or probe gets another message. Forced with it is
 * the largest part of the execution that does not need the outcome it had; the causal past of the
 * race alone would not do, since free receives elsewhere could then fall back to what was seen
 * before, and orders that differ in several places would never be found.
 *
 * @param taken the decision, and what it is to come to
 * @param part what is forced besides
 */
public record Flip(Taken taken, Part part) {
  /** What each rank is to do. */
  public List<RankPlan> plan() {
    return part.plan(taken);
  }

  /** All outcomes that are forced, the changed one among them: a state that can be reached. */
  public Set<Taken> forced() {
    return Taken.of(plan());
  }
}
