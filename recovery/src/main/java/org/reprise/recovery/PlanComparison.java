package org.reprise.recovery;

import java.util.List;
import java.util.Optional;

/**
 * Plans of a run by several policies, with what each comes to on the same breakpoints, and beside
 * them what the paper's own variant would have cost while the program ran.
 *
 * @param onTheFly none if the period is one of events: there a rank that is blocked takes no mark
 */
public record PlanComparison(
    Timeline timeline, Period period, List<Assessed> plans, Optional<OnTheFly> onTheFly) {
  /** A plan and how long it takes to reach breakpoints by it. */
  public record Assessed(Plan plan, Assessment assessment) {}

  public PlanComparison {
    plans = List.copyOf(plans);
  }
}
