package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.reprise.causality.Step.ANY;
import static org.reprise.causality.Step.recv;
import static org.reprise.causality.Step.send;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.exploration.Execution;
import org.reprise.exploration.Exploration;
import org.reprise.exploration.OldOrder;
import org.reprise.exploration.OrderRules;
import org.reprise.exploration.Steering;
import org.reprise.trace.UserError;

/** Executions whose choices somebody makes. */
class SteeringTest {
  private static final int RUNS_MAX = 200;

  @TempDir Path directory;

  /** Three ranks send to rank 0, which takes one after the other. */
  private static final Machine.Program GATHER =
      new Machine.Program(
          List.of(
              List.of(recv(ANY, 0), recv(ANY, 0), recv(ANY, 0)),
              List.of(send(0, 0)),
              List.of(send(0, 0)),
              List.of(send(0, 0))));

  private static Execution steered(FollowedProgram runs, Execution from, Steering.Guide guide)
      throws Exception {
    Steering steering = new Steering(Set.of());
    Execution execution = from;
    for (int run = 0; run < RUNS_MAX; run++) {
      var flip = steering.next(execution, guide);
      if (flip.isEmpty()) {
        return execution;
      }
      var plan = new Exploration.Planned(0, flip.get(), flip.get().plan(), flip.get().forced());
      execution = Execution.of(runs.run(Optional.of(plan)), FollowedProgram.NUMBERING);
      assertThat(execution.taken()).as("what was chosen").containsAll(flip.get().forced());
    }
    throw new AssertionError("it does not come to an end");
  }

  private static Execution free(FollowedProgram runs) throws Exception {
    return Execution.of(runs.run(Optional.empty()), FollowedProgram.NUMBERING);
  }

  private List<Integer> gathered(String... rules) throws Exception {
    try (FollowedProgram runs = new FollowedProgram(GATHER, directory)) {
      Execution made = steered(runs, free(runs), OrderRules.parse("rules", List.of(rules)));
      List<Integer> sources = new ArrayList<>();
      for (int receive = 0; receive < made.graph().events().size(0); receive++) {
        int message = made.graph().pairing().message(receive);
        if (message >= 0) {
          sources.add(made.graph().events().rank(made.graph().pairing().send(message)));
        }
      }
      return sources;
    }
  }

  @Test
  void rulesPrescribeAnOrder() throws Exception {
    assertThat(gathered("highest source first")).containsExactly(3, 2, 1);
    assertThat(gathered("rank 0: tag 0: lowest source first # all")).containsExactly(1, 2, 3);
    assertThat(gathered("never rank 1 before rank 2", "rank 3 last")).containsExactly(2, 1, 3);
    assertThat(gathered("tag 9: lowest source first", "rank 2 first", "highest source first"))
        .as("the second rule decides before the third; no message has tag 9")
        .containsExactly(2, 3, 1);
  }

  @Test
  void aRuleThatCannotBeKeptIsNamed() throws Exception {
    Machine.Program answered =
        new Machine.Program(
            List.of(
                List.of(recv(ANY, 0), send(1, 0), recv(ANY, 0)),
                List.of(recv(0, 0), send(0, 0)),
                List.of(send(0, 0))));
    OrderRules rules = OrderRules.parse("rules", List.of("never rank 2 before rank 1"));
    try (FollowedProgram runs = new FollowedProgram(answered, directory)) {
      Execution made = steered(runs, free(runs), rules);
      assertThat(rules.unkept(made)).singleElement().asString().startsWith("never rank 2 before");
    }
  }

  @Test
  void whatIsNoRuleIsRefused() {
    assertThatThrownBy(() -> OrderRules.parse("rules", List.of("", "tag 7: sideways")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("not a rule");
    assertThatThrownBy(() -> OrderRules.parse("rules", List.of("# nothing")))
        .isInstanceOf(UserError.class);
  }

  /**
   * A program may end before a receive that it never waits for has its message; and the engine
   * waits in collectives that carry no data, where MPI need not.
   */
  private static boolean isComparable(Machine.Program program) {
    return program.ranks().stream()
        .flatMap(List::stream)
        .noneMatch(
            step ->
                switch (step.op()) {
                  case IRECV, BCAST, REDUCE -> true;
                  default -> false;
                });
  }

  /** From any execution, to prefer the choices of another one leads to that one. */
  @Test
  void anOldOrderIsReachedFromAnyOther() throws Exception {
    long seed = Long.getLong("reprise.seed", 20_261_118L);
    System.out.println("old orders with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    int compared = 0;
    while (compared < Integer.getInteger("reprise.programs", 30)) {
      Machine.Program program = RandomPrograms.program(random);
      if (!isComparable(program)) {
        continue;
      }
      try (FollowedProgram runs = new FollowedProgram(program, directory)) {
        Execution old = free(runs);
        Steering.Guide anything = (_, _, messages) -> messages.get(random.nextInt(messages.size()));
        Execution other = steered(runs, old, anything);
        if (!other.taken().equals(old.taken())) {
          compared++;
          assertThat(steered(runs, other, new OldOrder(old)).taken())
              .as("%s", program)
              .isEqualTo(old.taken());
        }
      }
    }
  }
}
