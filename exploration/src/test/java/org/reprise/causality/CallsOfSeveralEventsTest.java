package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.reprise.exploration.CallNumbering;
import org.reprise.exploration.Execution;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.order.RankPlan;

/**
 * A call that completes several requests is several events, and its outcome belongs to the last.
 */
class CallsOfSeveralEventsTest {
  private static final CallNumbering TESTALL =
      new CallNumbering() {
        @Override
        public String name(int call) {
          return "Testall";
        }

        @Override
        public boolean takesPost(int call, EventKind kind, boolean joined) {
          return kind.isPost();
        }
      };

  @Test
  void nothingOfTheCallIsLeftWithoutItsOutcome() {
    HandMade trace = new HandMade(2);
    trace.message(1, EventKind.SEND, 0, 7);
    trace.message(1, EventKind.SEND, 0, 8);
    int first = trace.message(0, EventKind.POST_RECV, 1, 7);
    int second = trace.message(0, EventKind.POST_RECV, 1, 8);
    trace.linked(0, EventKind.COMPLETE, first, 1, 7, EventFlag.JOINED);
    int last = trace.linked(0, EventKind.COMPLETE, second, 1, 8);
    RankPlan tested = new RankPlan(List.of(new Outcome.Hit(Wire.Poll.TESTALL)), Map.of());
    Execution execution = new Execution(trace.graph(), List.of(tested, RankPlan.FREE), TESTALL);
    int event = execution.graph().events().event(0, last);
    assertThat(execution.decision(event)).isPresent();
    assertThat(execution.before(event).returned())
        .as("calls of rank 0 that have returned: both posts, and not half of the Testall")
        .startsWith(2);
  }
}
