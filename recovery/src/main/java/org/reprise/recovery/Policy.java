package org.reprise.recovery;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A way to choose marks, and rules by which messages are logged. */
public enum Policy {
  /** Ours: marks on consistent cuts with few bytes in transit, what crosses them, and rule 2. */
  OURS(EnumSet.of(LoggingRule.IN_TRANSIT, LoggingRule.TWO_STEPS, LoggingRule.THIRD_RANK)),

  /** Minimizing the Replay Time: rules 1 to 3 of Thoai and Volkert (2003, section 6). */
  MRT(EnumSet.allOf(LoggingRule.class)),

  /** Rollback One Step: rule 1 and the first condition of rule 2 (section 5). */
  ROS(EnumSet.of(LoggingRule.IN_TRANSIT, LoggingRule.TWO_STEPS));

  private final Set<LoggingRule> rules;

  Policy(Set<LoggingRule> rules) {
    this.rules = Collections.unmodifiableSet(rules);
  }

  public Set<LoggingRule> rules() {
    return rules;
  }

  /** Where this policy puts marks in a run. */
  public Marks marks(Timeline timeline, Period period) {
    return this == OURS ? CutMarks.of(timeline, period) : PeriodicMarks.of(timeline, period);
  }
}
