package org.reprise.exploration;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/** A decision and what it came to. A set of these that is a reachable state is a configuration. */
public record Taken(Decision decision, Outcome outcome) {
  /** All that these orders of ranks hold. */
  public static Set<Taken> of(List<RankPlan> orders) {
    Set<Taken> taken = new LinkedHashSet<>();
    for (int rank = 0; rank < orders.size(); rank++) {
      long call = 0;
      for (Outcome outcome : orders.get(rank).calls()) {
        if (RankPlan.isOfCall(outcome)) {
          taken.add(new Taken(new Decision(rank, Decision.Kind.CALL, call++), outcome));
        }
      }
      for (var post : orders.get(rank).posts().entrySet()) {
        if (isTaken(post.getValue())) {
          Decision decision = new Decision(rank, Decision.Kind.POST, post.getKey());
          taken.add(new Taken(decision, post.getValue()));
        }
      }
    }
    return taken;
  }

  /** That a receive has nothing yet is no outcome: it may still get something. */
  static boolean isTaken(Outcome post) {
    return !(post instanceof Outcome.PostEnd(_, Wire.PostEnd end)) || end != Wire.PostEnd.NEVER;
  }
}
