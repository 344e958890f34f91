package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs on Reprise's own engine that somebody ends from outside, in a process of their own. */
class InterruptedRunsTest {
  private static final int TERMINATED = 128 + 15;
  private static final int KILLED = 128 + 9;
  private static final long PATIENCE_SECONDS = 180;

  /** Rank 0 takes five messages that are all there, says so, and goes on when a file is there. */
  private static final String PROGRAM =
      """
      import java.nio.file.*;
      import mpi.*;
      public class Patient {
        public static void main(String[] args) throws Exception {
          Path home = Path.of(args[0]);
          MPI.Init(args);
          if (Files.exists(home.resolve("lazy"))) {
            MPI.Finalize();
            return;
          }
          int[] x = new int[1];
          if (MPI.COMM_WORLD.Rank() == 1) {
            for (int i = 0; i < 5; i++) MPI.COMM_WORLD.Send(x, 0, 1, MPI.INT, 0, 1);
            MPI.COMM_WORLD.Barrier();
          } else {
            MPI.COMM_WORLD.Barrier();
            for (int i = 0; i < 5; i++) {
              MPI.COMM_WORLD.Recv(x, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
            }
            System.out.println("waiting");
            while (!Files.exists(home.resolve("go"))) Thread.sleep(10);
          }
          MPI.Finalize();
        }
      }
      """;

  @TempDir Path home;
  private Shell shell;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    shell = new Shell(home);
    Files.writeString(home.resolve("Patient.java"), PROGRAM);
  }

  @AfterEach
  void close() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Starts a command in a process of its own and returns when its program waits. */
  private Process start(String line) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Reprise.class.getName()));
    words.addAll(List.of(line.split(" ")));
    Files.deleteIfExists(home.resolve("out"));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(home.toFile())
            .redirectOutput(home.resolve("out").toFile())
            .redirectError(home.resolve("err").toFile());
    builder.environment().put("REPRISE_HOME", home.toString());
    builder.environment().put("XDG_STATE_HOME", home.resolve(".state").toString());
    Process process = builder.start();
    started.add(process);
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!Files.readString(home.resolve("out")).contains("waiting")) {
      assertThat(process.isAlive() && System.nanoTime() < limit).as(err()).isTrue();
      Thread.sleep(20);
    }
    return process;
  }

  private String err() throws IOException {
    return Files.readString(home.resolve("err")).replace(home.toString(), "HOME");
  }

  /** Asks the process to end, as Ctrl-C does, and returns what it exits with. */
  private static int end(Process process) throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private int type(String line) {
    return shell.type(line.split(" "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--seed 3 ", "--events "})
  void aRecordingThatASignalEndsIsNamedAndToldLikeAnyOther(String options) throws Exception {
    Process recording = start("record -n 2 --name mine " + options + "Patient.java " + home);
    assertThat(end(recording)).isEqualTo(TERMINATED);
    assertThat(err())
        .isEqualTo(
            "reprise: recorded HOME/mine: 2 ranks, 5 receives, 5 of them with a wildcard,"
                + " 5 B of records; the command was interrupted and exited with status 143\n");
    assertThat(type("show mine")).isZero();
    assertThat(shell.out()).contains("was interrupted and exited with status 143");
    Files.writeString(home.resolve("go"), "");
    assertThat(type("replay")).as("to the program's own end").isZero();
    assertThat(shell.err())
        .contains("same order: all 2 ranks did what the recording did, 5 outcomes")
        .contains("the recording ends here: rank 0 was outside MPI (after call ")
        .contains(") and ended with the run");
  }

  @Test
  void aReplayThatASignalEndsSaysHowFarItWent() throws Exception {
    end(start("record -n 2 Patient.java " + home));
    assertThat(end(start("replay"))).isEqualTo(TERMINATED);
    assertThat(err()).contains("same order: all 2 ranks did what the recording did, 5 outcomes");
    assertThat(shell.store().latest().path().toFile().list())
        .noneMatch(name -> name.startsWith("replay-"));
  }

  /** Of a process that was killed the order hash is older than the last outcomes. */
  @Test
  void whatAKilledProcessHadTakenIsReplayedOrMissed() throws Exception {
    Process recording = start("record -n 2 Patient.java " + home).destroyForcibly();
    assertThat(recording.waitFor()).isEqualTo(KILLED);
    Files.writeString(home.resolve("go"), "");
    assertThat(type("replay")).isZero();
    assertThat(shell.err())
        .contains("the recorder was killed; what the ranks had left by then is replayed")
        .contains("same order: all 2 ranks did what the recording did, 5 outcomes")
        .contains("and was killed; up to 511 more calls may not have been counted");
    Files.writeString(home.resolve("lazy"), "");
    assertThat(type("replay")).as("%s", shell.err()).isEqualTo(67);
    assertThat(shell.err())
        .contains("ended early", "rank 0 had replayed 0 of 5 outcomes")
        .doesNotContain("same order");
  }
}
