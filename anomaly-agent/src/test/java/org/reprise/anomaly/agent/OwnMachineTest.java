package org.reprise.anomaly.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.anomaly.agent.Programs.Program;

/**
 * Programs of the suite each in a virtual machine of its own, as a user starts them: nothing is
 * loaded, compiled or known from a program before. A few are dealt ({@link DealtPrograms}).
 */
class OwnMachineTest {
  private static final int HANDS = 92;

  @TempDir private Path directory;

  @Test
  void aProgramByItselfGetsTheVerdictItExpects() throws Exception {
    List<Program> programs = DealtPrograms.dealt("OwnMachineTest").hand(0, HANDS);
    Path agent = AgentJar.build(directory);
    Programs.compile(programs, directory);
    StringBuilder wrong = new StringBuilder();
    for (Program program : programs) {
      wrong.append(
          program.complaint(Programs.runAlone(program, directory, agent), "a machine of its own"));
    }
    assertThat(wrong.toString()).isEmpty();
  }
}
