package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code reprise plan} says. */
@Timeout(120)
class PlanCommandTest {
  private static final Path ROOT = Path.of(System.getProperty("reprise.root"));

  private static final List<String> QUESTIONS =
      List.of("", "--period 1us", "--events 1 --policy mrt", "--period 1us --policy ros --limit 1");

  @TempDir Path directory;
  private Shell shell = new Shell(Path.of("unset"));

  @BeforeEach
  void open() {
    shell = new Shell(directory.resolve("runs"));
  }

  private int plan(String words) {
    return shell.type(("plan " + words).strip().split(" +"));
  }

  @Test
  void plansAreShownToPeopleAndToScripts() throws IOException {
    SampleRuns.racing(shell.store());
    for (String format : List.of("text", "json")) {
      StringBuilder all = new StringBuilder();
      for (String question : QUESTIONS) {
        assertThat(plan(question + " --format " + format)).isZero();
        assertThat(shell.err()).isEmpty();
        all.append("$ reprise plan ")
            .append(question)
            .append('\n')
            .append(shell.out())
            .append('\n');
      }
      Golden.check("plan-" + format, all.toString());
    }
  }

  @Test
  void aJavaProgramOnTheEmbeddedEngineIsPlannedToo() {
    String ring = ROOT.resolve("examples/java/Ring.java").toString();
    assertThat(shell.type("record", "--events", "-n", "4", ring)).isZero();
    assertThat(plan("--events 5")).isZero();
    assertThat(shell.out()).contains("4 ranks", "ours", "mrt", "ros").doesNotContain("on the fly");
    assertThat(plan("--period 100us --format json")).isZero();
    assertThat(shell.out()).contains("\"policy\" : \"ours\"", "\"onTheFly\"", "\"checkpoints\"");
  }

  @Test
  void whatIsNoPeriodOrPolicyIsRefused() throws IOException {
    SampleRuns.racing(shell.store());
    for (String wrong : List.of("2", "0s", "-1s", "1.s", "s", "2 s")) {
      assertThat(shell.type("plan", "--period", wrong)).as(wrong).isEqualTo(2);
      assertThat(shell.err()).contains("is not a period; give a length of time");
    }
    assertThat(plan("--policy best")).isEqualTo(2);
    assertThat(shell.err()).contains("'best' is not a policy; give ours, mrt or ros");
    assertThat(plan("--events 0")).isEqualTo(2);
    assertThat(shell.err()).contains("--events must be positive");
    assertThat(plan("--limit -1")).isEqualTo(2);
    assertThat(plan("--events 5 --period 2s")).isEqualTo(2);
  }
}
