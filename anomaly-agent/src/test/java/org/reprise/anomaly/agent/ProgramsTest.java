package org.reprise.anomaly.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.anomaly.agent.Programs.Outcome;
import org.reprise.anomaly.agent.Programs.Program;

/** Every program gets the verdict it expects, on one worker as on eight. */
class ProgramsTest {
  @TempDir private Path directory;

  @Test
  void verdictsAreAsExpectedAndDoNotDependOnTheNumberOfWorkers() throws Exception {
    List<Program> programs = Programs.all();
    Path agent = AgentJar.build(directory);
    Programs.compile(programs, directory);
    StringBuilder wrong = new StringBuilder();
    for (int workers : List.of(1, 2, 8)) {
      String option = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=" + workers;
      List<Outcome> outcomes = Programs.run(programs, directory, agent, List.of(option));
      assertThat(outcomes).hasSameSizeAs(programs);
      for (int i = 0; i < programs.size(); i++) {
        wrong.append(compare(programs.get(i), outcomes.get(i), workers));
      }
    }
    assertThat(wrong.toString()).isEmpty();
  }

  private static String compare(Program program, Outcome outcome, int workers) {
    Set<String> anomalies = expected(program, "anomaly ");
    Set<String> lockOrdered = expected(program, "lock-ordered ");
    String verdict =
        program.expectations().contains("validated")
            ? "validated"
            : anomalies.isEmpty() ? "not validated" : "anomalies";
    boolean obstaclesFound =
        expected(program, "not validated ").stream().allMatch(outcome.json()::contains);
    boolean right =
        outcome.verdict().equals(verdict)
            && outcome.anomalies().equals(anomalies)
            && outcome.lockOrdered().equals(lockOrdered)
            && outcome.commuting().containsAll(expected(program, "commuting "))
            && obstaclesFound;
    return right
        ? ""
        : program
            + " with "
            + workers
            + " workers: expected "
            + program.expectations()
            + ", found "
            + outcome.json()
            + "\n";
  }

  private static Set<String> expected(Program program, String prefix) {
    return program.expectations().stream()
        .filter(expectation -> expectation.startsWith(prefix))
        .map(expectation -> expectation.substring(prefix.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
