package org.reprise.recovery;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A way to choose marks, and rules by which messages are logged. */
public enum Policy {
  /** Ours: marks on consistent cuts with few bytes in transit, what crosses them, and rule 2. */
  OURS(EnumSet.of(Rule.IN_TRANSIT, Rule.TWO_STEPS, Rule.THIRD_RANK)),

  /** Minimizing the Replay Time: rules 1 to 3 of Thoai and Volkert (2003, section 6). */
  MRT(EnumSet.allOf(Rule.class)),

  /** Rollback One Step: rule 1 and the first condition of rule 2 (section 5). */
  ROS(EnumSet.of(Rule.IN_TRANSIT, Rule.TWO_STEPS));

  private final Set<Rule> rules;

  Policy(Set<Rule> rules) {
    this.rules = Collections.unmodifiableSet(rules);
  }

  public Set<Rule> rules() {
    return rules;
  }

  /** Where this policy puts marks in a run. */
  public Marks marks(Timeline timeline, Period period) {
    return this == OURS ? CutMarks.of(timeline, period) : PeriodicMarks.of(timeline, period);
  }
}
