package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.reprise.causality.races.OtherMessages;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/** Logical time is the longest path to each moment, and nothing else. */
class LogicalTimeTest {
  @Test
  void itIsTheLongestPathInRandomPrograms() {
    long seed = Long.getLong("reprise.seed", 20_261_118L);
    System.out.println("random programs with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 60; i++) {
      Machine machine = new Machine(RandomPrograms.program(random), new Machine.Control() {});
      machine.executions(2000).values().stream()
          .filter(machine::isComplete)
          .limit(3)
          .forEach(state -> check(new Execution(state, 100).graph));
    }
  }

  private static void check(EventGraph graph) {
    EventTable events = graph.events();
    LogicalTime time = LogicalTime.of(graph);
    for (int b = 0; b < events.size(); b++) {
      long before = events.number(b) == 0 ? -1 : time.returned(b - 1);
      assertThat(time.entry(b)).isEqualTo(before + 1);
      long waited = time.entry(b) + 1;
      for (int a = 0; a < events.size(); a++) {
        if (a != b && graph.precedes(a, b)) {
          waited = Math.max(waited, time.entry(a) + 1);
        }
      }
      assertThat(time.returned(b)).as("return of event %d", b).isEqualTo(waited);
      assertThat(time.end()).isGreaterThanOrEqualTo(waited);
    }
  }

  @Test
  void aReceiveEndsAfterItsMessageWasSent() {
    HandMade trace = new HandMade(2);
    trace.message(0, EventKind.RECV, 1, 5, EventFlag.ANY_SOURCE);
    trace.message(1, EventKind.LOCAL, -1, -1);
    trace.message(1, EventKind.LOCAL, -1, -1);
    trace.message(1, EventKind.SEND, 0, 5);
    LogicalTime time = LogicalTime.of(trace.graph());
    assertThat(time.entry(0)).isZero();
    assertThat(time.entry(3)).isEqualTo(4);
    assertThat(time.returned(0)).isEqualTo(5);
  }

  @Test
  void theAlternativesOfAReceiveAreThoseThatTheScanFinds() {
    Random random = new Random(20_261_119L);
    int found = 0;
    for (int i = 0; i < 60; i++) {
      Machine machine = new Machine(RandomPrograms.program(random), new Machine.Control() {});
      for (Machine.State state :
          machine.executions(500).values().stream().filter(machine::isComplete).limit(2).toList()) {
        EventGraph graph = new Execution(state, 100).graph;
        RaceList races = RaceList.of(graph, 64);
        OtherMessages alternatives = new OtherMessages(graph);
        for (int race = races.size() - 1; race >= 0; race--) {
          OtherMessages.Choice choice = alternatives.of(races.receive(race)).orElseThrow();
          assertThat(choice.count()).isEqualTo(races.alternatives(race));
          assertThat(choice.sends().stream().map(graph.pairing()::message).toList())
              .containsExactlyElementsOf(Arrays.stream(races.shown(race)).boxed().toList());
          found++;
        }
      }
    }
    assertThat(found).isGreaterThan(20);
  }
}
