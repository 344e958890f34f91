package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.launch.always.AlwaysOn;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.Quota;
import org.reprise.trace.run.RunDirectory;

/** What is reported of recordings that nobody asked for, and which of them are kept. */
class AlwaysCommandTest {
  @TempDir Path directory;
  private Shell shell = new Shell(Path.of("unset"));

  @BeforeEach
  void open() throws IOException {
    Path bin = Files.createDirectory(directory.resolve("bin"));
    Path launcher = Files.writeString(bin.resolve("mpirun"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    shell = new Shell(directory.resolve("runs")).withPath(bin.toString());
  }

  private AlwaysOn always() {
    return AlwaysOn.of(shell.environment());
  }

  @Test
  void onSaysWhatIsMissingAndOffEndsIt() {
    assertThat(shell.type("always", "status")).isZero();
    assertThat(shell.out()).startsWith("off: ");
    assertThat(shell.type("always", "on", "--max-runs", "7", "--max-disk", "3g")).isZero();
    assertThat(shell.out())
        .contains("on: what mpirun start is recorded", "at most 7 runs and 3.2 GB")
        .contains(
            "export PATH=" + always().shims().toString().replace(directory + "/runs", "HOME"));
    shell.withPath(always().shims() + ":" + directory.resolve("bin"));
    shell.type("always", "status");
    assertThat(shell.out()).contains("on: ").doesNotContain("export");
    shell.type("always", "status", "--format", "json");
    assertThat(shell.out()).contains("\"on\" : true", "\"firstOnPath\" : true", "\"runsMax\" : 7");
    shell.type("always", "on");
    assertThat(always().quota()).as("as it was").isEqualTo(new Quota(7, 3L << 30));
    assertThat(shell.type("always", "off")).isZero();
    assertThat(shell.out()).startsWith("off: ").contains("passes everything on");
    assertThat(always().isOn()).isFalse();
  }

  @Test
  void limitsAreForOnAndAboveZero() {
    assertThat(shell.type("always", "off", "--max-runs", "7")).isEqualTo(2);
    assertThat(shell.type("always", "on", "--max-runs", "0")).isEqualTo(2);
    assertThat(shell.type("always", "perhaps")).isEqualTo(2);
    assertThat(shell.type("record", "--automatic", "--name", "x", "true")).isEqualTo(2);
  }

  @Test
  void oneThatIsKeptIsNoLongerAutomatic() throws IOException {
    RunDirectory run = SampleRuns.bank(shell.store());
    run.describe(run.description().with().automatic(true).build());
    shell.type("always", "status");
    assertThat(shell.out()).contains("1 automatic run, 0 of them failed");
    assertThat(shell.type("keep", "bank-1")).isZero();
    assertThat(shell.out()).isEqualTo("kept bank-1\n");
    assertThat(run.description().automatic()).isFalse();
  }

  @Test
  void failedRunsAreFoundByThatWord() throws IOException {
    assertThat(shell.type("show", "failed")).isEqualTo(1);
    assertThat(shell.err()).contains("no run has failed");
    RunDirectory crashed = SampleRuns.bank(shell.store());
    crashed.describe(crashed.description().with().ending(new Ending.Killed(11)).build());
    RunDirectory passed = SampleRuns.bank(shell.store());
    passed.describe(passed.description().with().ending(new Ending.Exited(0)).build());
    assertThat(shell.type("ls", "--failed", "--names")).isZero();
    assertThat(shell.out()).isEqualTo("bank-1\n");
    shell.type("show", "failed");
    assertThat(shell.out()).startsWith("bank-1");
  }
}
