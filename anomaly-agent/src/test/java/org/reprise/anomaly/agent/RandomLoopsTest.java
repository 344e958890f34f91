package org.reprise.anomaly.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random programs with parallel loops get the verdict that follows from doing them by hand, and
 * leave behind what they leave without the agent. {@code -Dreprise.loops=5000} tries that many, and
 * {@code -Dreprise.loops.seed=7} begins with another one; {@code -Dreprise.loops.agent=agent.jar}
 * tries another agent.
 */
class RandomLoopsTest {
  private static final long SEED = Long.getLong("reprise.loops.seed", 1);
  private static final int COUNT = Integer.getInteger("reprise.loops", 150);
  private static final int COUNT_AT_ONCE = 300;

  /** A stream has four times as many parts as workers: with one, a part is many iterations. */
  private static final List<Integer> WORKERS = List.of(1, 2, 1, 8, 3);

  private static final List<List<String>> COMPILERS =
      List.of(
          List.of(),
          List.of("-XX:CompileThresholdScaling=0.02"),
          List.of("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.1"),
          List.of("-XX:-TieredCompilation", "-XX:CompileThresholdScaling=0.02"));

  @TempDir private Path directory;

  @Test
  void verdictsFollowFromWhatEachBlockAccesses() throws Exception {
    String other = System.getProperty("reprise.loops.agent");
    Path agent = other == null ? AgentJar.build(directory) : Path.of(other);
    StringBuilder wrong = new StringBuilder();
    for (int done = 0, turn = 0; done < COUNT; done += COUNT_AT_ONCE, turn++) {
      int count = Math.min(COUNT_AT_ONCE, COUNT - done);
      LoopVerdicts verdicts =
          new LoopVerdicts(directory.resolve("loops" + turn), SEED + done, count);
      List<String> options = new ArrayList<>(COMPILERS.get(turn % COMPILERS.size()));
      options.add(
          "-Djava.util.concurrent.ForkJoinPool.common.parallelism="
              + WORKERS.get(turn % WORKERS.size()));
      // Pauses keep iterations from being done at once, so they are for some only.
      String jitter = turn % 7 == 6 ? ",jitter=" + (SEED + turn) : "";
      Map<String, String> complaints = verdicts.run(agent, jitter, options);
      System.out.printf(
          "%d programs from seed %d on, %s, %s%s: %d wrong%n",
          count, SEED + done, verdicts.kinds(), options, jitter, complaints.size());
      complaints.forEach(
          (name, complaint) ->
              wrong.append(
                  "%s with %s%s: %s%n%s%n"
                      .formatted(name, options, jitter, complaint, verdicts.source(name))));
    }
    assertThat(wrong.toString()).isEmpty();
  }

  /** What is schedule-dependent is left open: without an agent, only results are compared. */
  @Test
  void resultsAreThoseOfAnOrdinaryRun() throws Exception {
    LoopVerdicts verdicts = new LoopVerdicts(directory.resolve("plain"), SEED, 50);
    assertThat(verdicts.run(null, "", List.of())).isEmpty();
    assertThat(verdicts.kinds())
        .matches("[1-9]\\d* clean, [1-9]\\d* with .*, [1-9]\\d* that throw");
  }
}
