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

/**
 * Every program gets the verdict it expects, whatever the schedule: on one worker as on eight, with
 * pauses at random. A stream is split into four times as many parts as there are workers, so other
 * numbers of them are other splits; one is taken at random. {@code -Dreprise.seeds=20} tries that
 * many seeds with each.
 */
class ProgramsTest {
  private static final int SEEDS = Integer.getInteger("reprise.seeds", 0);

  @TempDir private Path directory;

  @Test
  void verdictsAreAsExpectedOnEverySchedule() throws Exception {
    List<Program> programs = Programs.all();
    Path agent = AgentJar.build(directory);
    Programs.compile(programs, directory);
    StringBuilder wrong = new StringBuilder();
    long seed = System.nanoTime() % 1_000_000;
    int others = 3 + (int) (seed % 13);
    // Where there are no pauses, loops may be told of before they begin.
    wrong.append(run(programs, agent, 8, 0));
    for (int workers : List.of(1, 2, 8, others)) {
      wrong.append(run(programs, agent, workers, workers == 1 ? 0 : seed + workers));
      for (int more = 1; more <= SEEDS; more++) {
        wrong.append(run(programs, agent, workers, more));
      }
    }
    assertThat(wrong.toString()).isEmpty();
  }

  @Test
  void everyProgramHasATwin() throws Exception {
    List<Program> programs = Programs.all();
    assertThat(names(programs, "races")).isEqualTo(names(programs, "clean")).hasSizeGreaterThan(60);
  }

  private static Set<String> names(List<Program> programs, String folder) {
    return programs.stream()
        .filter(program -> program.folder().equals(folder))
        .map(Program::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What is wrong with the verdicts; seed 0 is without pauses. */
  private String run(List<Program> programs, Path agent, int workers, long seed) throws Exception {
    String option = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=" + workers;
    String jitter = seed == 0 ? "" : ",jitter=" + seed;
    List<Outcome> outcomes = Programs.run(programs, directory, agent, jitter, List.of(option));
    assertThat(outcomes).hasSameSizeAs(programs);
    StringBuilder wrong = new StringBuilder();
    for (int i = 0; i < programs.size(); i++) {
      wrong.append(
          programs.get(i).complaint(outcomes.get(i), workers + " workers and seed " + seed));
    }
    return wrong.toString();
  }
}
