package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A user types mpirun as ever, and the run is there. */
class AlwaysTest {
  @RegisterExtension private final Workbench bench = new Workbench();

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mpi.class)
  void whatIsStartedAsEverIsRecordedAndReplays(Mpi mpi) throws IOException {
    Path shims = turnOn();
    Path program = bench.example(mpi, "order_sum");
    Ran ran = bench.run(inAShell(shims, mpi.job(3, program)));
    assertThat(ran.status()).as("%s", ran).isZero();
    assertThat(ran.out()).as("%s", ran).startsWith("answer = ");
    assertThat(ran.told()).as("%s", ran).isEmpty();
    assertThat(bench.latest().description().automatic()).isTrue();
    Ran replay = bench.replay();
    assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
    assertThat(replay.out()).isEqualTo(ran.out());

    Ran other = bench.run(inAShell(shims, mpi.job(2, Path.of("/bin/hostname"))));
    assertThat(other.status()).as("%s", other).isZero();
    assertThat(bench.store().list()).as("what calls no MPI is not kept").hasSize(1);

    assertThat(bench.reprise("always", "off").status()).isZero();
    bench.run(inAShell(shims, mpi.job(3, program)));
    assertThat(bench.store().list()).as("off").hasSize(1);
  }

  /** With the Reprise of this class path in place of the one of a checkout, which may be old. */
  private Path turnOn() throws IOException {
    bench.set("XDG_CONFIG_HOME", bench.directory().resolve("config").toString());
    Ran on = bench.reprise("always", "on");
    assertThat(on.out()).as("%s", on).startsWith("on: ");
    Path always = bench.directory().resolve("config/reprise/always");
    Path reprise = always.resolve("reprise");
    Files.delete(reprise);
    String java = Workbench.shell(bench.java(List.of()));
    Files.writeString(reprise, "#!/bin/sh\nexec " + java + " \"$@\"\n");
    Files.setPosixFilePermissions(reprise, PosixFilePermissions.fromString("rwx------"));
    return always.resolve("bin");
  }

  private static List<String> inAShell(Path shims, List<String> job) {
    return List.of("sh", "-c", "PATH=" + shims + ":$PATH; " + Workbench.shell(job));
  }
}
