package org.reprise.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reprise.cli.Reprise;

/** What becomes of output that nobody can or will have, in a process of its own. */
@Timeout(120)
class StandardOutputTest {
  private static ProcessBuilder help() {
    return new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "-cp",
        System.getProperty("java.class.path"),
        Reprise.class.getName(),
        "--help");
  }

  private static String err(Process process) throws IOException {
    return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void outputThatIsLostIsAnError() throws Exception {
    Process process = help().redirectOutput(new File("/dev/full")).start();
    assertThat(err(process).lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("reprise: standard output cannot be written"),
            line -> assertThat(line).startsWith("  found: "),
            line -> assertThat(line).startsWith("  fix: "));
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @Test
  void thatNobodyReadsOnIsNone() throws Exception {
    Process process = help().start();
    process.getInputStream().close();
    assertThat(err(process)).isEmpty();
    assertThat(process.waitFor()).isZero();
  }
}
