package org.reprise.trace.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.Rank;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RunFile;

/** A user's own runs are known wherever they are, and nobody else can make one. */
class RunSealTest {
  private static final String NOT_RECORDED =
      "it was not recorded by you on this machine, or was changed since";

  @TempDir Path directory;

  private final RunDescription description = RunJsonTest.ended(List.of());

  private RunStore store() {
    return new RunStore(directory.resolve("runs"));
  }

  private RunSeal user(String name) {
    return RunSeal.of(
        Map.of(
            "REPRISE_HOME",
            store().home().toString(),
            "XDG_STATE_HOME",
            directory.resolve(name).toString()));
  }

  private RunDirectory sealedRun() throws IOException {
    RunDirectory run = store().create("bank");
    run.describe(description);
    user("ada").put(run, description);
    return run;
  }

  @Test
  void whoRecordedItHasNoDoubts() throws IOException {
    RunDirectory run = sealedRun();
    assertThat(user("ada").doubt(run, run.description())).isEmpty();
  }

  @Test
  void aRunMayBeMovedRenamedAndCopied() throws IOException {
    RunDirectory run = sealedRun();
    Path moved = Files.move(run.path(), directory.resolve("elsewhere"));
    assertThat(user("ada").doubt(new RunDirectory(moved), description)).isEmpty();
    Path copied = copy(moved, directory.resolve("copied"));
    assertThat(user("ada").doubt(new RunDirectory(copied), description)).isEmpty();
  }

  @Test
  void aRunOfSomebodyElseIsNotMine() throws IOException {
    RunDirectory run = sealedRun();
    assertThat(user("bob").doubt(run, description)).contains(NOT_RECORDED);
  }

  @Test
  void anotherCommandDirectoryCompilerOrVariableIsNotWhatWasSealed() throws IOException {
    RunDirectory run = sealedRun();
    assertThat(user("ada").doubt(run, changed(List.of("sh"), "/home/ada/bank", "/usr/bin/mpicc")))
        .contains(NOT_RECORDED);
    assertThat(user("ada").doubt(run, changed(description.command(), "/tmp", "/usr/bin/mpicc")))
        .contains(NOT_RECORDED);
    assertThat(
            user("ada").doubt(run, changed(description.command(), "/home/ada/bank", "/tmp/mpicc")))
        .contains(NOT_RECORDED);
    assertThat(user("ada").doubt(run, RunJsonTest.withEnvironment(Map.of("LD_PRELOAD", "/e.so"))))
        .contains(NOT_RECORDED);
    // The same bytes, cut into words elsewhere.
    List<String> words = new ArrayList<>(description.command());
    words.set(1, words.get(1) + words.remove(2));
    assertThat(user("ada").doubt(run, changed(words, "/home/ada/bank", "/usr/bin/mpicc")))
        .contains(NOT_RECORDED);
  }

  private RunDescription changed(List<String> command, String where, String mpicc) {
    return new RunDescription(
        description.repriseVersion(),
        description.wireVersion(),
        description.name(),
        command,
        where,
        description.program(),
        new RunDescription.Mpi(description.mpi().family(), "Open MPI 4.1.4", mpicc),
        description.ranks(),
        description.hosts(),
        description.environment(),
        description.inputs(),
        description.jitterSeed(),
        description.stdinKept(),
        OptionalLong.empty(),
        description.callNames(),
        description.started(),
        description.ended(),
        description.ending(),
        description.rankEnds(),
        description.recorder(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  @Test
  void anotherInputIsNotWhatWasSealed() throws IOException {
    RunDirectory run = sealedRun();
    Files.writeString(PrivateFiles.createFile(run.stdinFile()), "print(1)");
    assertThat(user("ada").doubt(run, description)).contains(NOT_RECORDED);
    user("ada").put(run, description);
    assertThat(user("ada").doubt(run, description)).isEmpty();
    Files.writeString(run.stdinFile(), "print(2)");
    assertThat(user("ada").doubt(run, description)).contains(NOT_RECORDED);
  }

  @Test
  @Timeout(60)
  void anInputOfHolesIsNotReadToItsEnd() throws IOException {
    RunDirectory run = sealedRun();
    Files.writeString(PrivateFiles.createFile(run.stdinFile()), "print(1)");
    user("ada").put(run, description);
    try (RandomAccessFile input = new RandomAccessFile(run.stdinFile().toFile(), "rw")) {
      input.setLength(1L << 40);
    }
    assertThat(user("ada").doubt(run, description)).contains(NOT_RECORDED);
  }

  @Test
  void whatOthersMayWriteIsNotMine() throws IOException {
    RunDirectory run = sealedRun();
    Path order = PrivateFiles.createFile(run.orderFile(new Rank(0)));
    assertThat(user("ada").doubt(run, description)).isEmpty();
    Files.setPosixFilePermissions(order, PosixFilePermissions.fromString("rw-rw----"));
    assertThat(user("ada").doubt(run, description)).contains("other users may write to " + order);
    Files.delete(order);
    Files.setPosixFilePermissions(run.path(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(user("ada").doubt(run, description))
        .contains("other users may write to " + run.path());
  }

  @Test
  void aKeyThatOthersCouldReadIsNoKey() throws IOException {
    RunDirectory run = sealedRun();
    Path key = directory.resolve("ada/reprise/run-key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(user("ada").doubt(run, description).orElse(""))
        .contains("can be read or written by others");
  }

  @Test
  void aRunWhoseRecorderWasKilledIsMine() throws IOException {
    RunDirectory run = store().create("bank");
    RunDescription begun = RunJsonTest.description();
    run.describe(begun);
    user("ada").put(run, begun);
    Files.writeString(run.stdinFile(), "read so far");
    assertThat(user("ada").doubt(run, begun)).isEmpty();
    assertThat(user("ada").doubt(run, description)).as("its end is made up").contains(NOT_RECORDED);
    assertThat(user("bob").doubt(run, begun)).contains(NOT_RECORDED);
  }

  @Test
  void aRunWithoutSealIsNotMine() throws IOException {
    RunDirectory run = store().create("bank");
    run.describe(description);
    assertThat(user("ada").doubt(run, description)).contains(NOT_RECORDED);
    assertThat(user("ada").doubt(run, description)).as("once more").contains(NOT_RECORDED);
  }

  private static Path copy(Path from, Path to) throws IOException {
    PrivateFiles.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        RunFile.copy(file, to.resolve(file.getFileName()), Files.size(file));
      }
    }
    return to;
  }
}
