package org.reprise.anomaly.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.anomaly.agent.Programs.Program;

/**
 * Programs of the suite each in a virtual machine of its own, as a user starts them: nothing is
 * loaded, compiled or known from a program before. A dozen are drawn; {@code
 * -Dreprise.alone.seed=7} draws others, {@code -Dreprise.alone.all=true} takes all.
 */
class OwnMachineTest {
  private static final int DRAWN = 12;
  private static final long SEED = Long.getLong("reprise.alone.seed", 20_251_115L);

  @TempDir private Path directory;

  @Test
  void aProgramByItselfGetsTheVerdictItExpects() throws Exception {
    List<Program> programs = new ArrayList<>(Programs.all());
    if (!Boolean.getBoolean("reprise.alone.all")) {
      Collections.shuffle(programs, new Random(SEED));
      programs = programs.subList(0, DRAWN);
      System.out.println("-Dreprise.alone.seed=" + SEED + " draws " + programs);
    }
    Path agent = AgentJar.build(directory);
    Programs.compile(programs, directory);
    StringBuilder wrong = new StringBuilder();
    for (Program program : programs) {
      wrong.append(
          program.complaint(
              Programs.runAlone(program, directory, agent), "a machine of its own, seed " + SEED));
    }
    assertThat(wrong.toString()).isEmpty();
  }
}
