package org.reprise.launch.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.interposer.MpiInstallation;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;

class ReplayNotesTest {
  private static final List<String> COMMAND = List.of("mpirun", "-n", "2", "./solver");
  private static final MpiInstallation SAME = mpi(MpiFamily.OPEN_MPI, "Open MPI 4.1.4");

  @TempDir Path directory;
  private Path program = Path.of("unset");

  private static MpiInstallation mpi(MpiFamily family, String version) {
    return new MpiInstallation(
        family, version, Path.of("/usr/bin/mpicc"), List.of("gcc"), List.of(), "");
  }

  @BeforeEach
  void write() throws Exception {
    program = Files.writeString(directory.resolve("solver"), "version 1");
    Files.createFile(new RunDirectory(directory).inputsFile(new Rank(0)));
  }

  private RecordedRun run(Ending ending, int flags) {
    RunDescription description =
        new RunDescription(
            "0.1.0",
            Wire.VERSION,
            "solver-1",
            COMMAND,
            directory.toString(),
            ProgramFile.describe(program),
            new RunDescription.Mpi(MpiFamily.OPEN_MPI, "Open MPI 4.1.4", "/usr/bin/mpicc"),
            1,
            List.of(),
            new TreeMap<>(Map.of("OMPI_MCA_btl", "self", "PATH", "/bin")),
            true,
            OptionalLong.empty(),
            false,
            OptionalLong.empty(),
            CallTable.ofInterposer().names(),
            Instant.EPOCH,
            Optional.empty(),
            ending,
            List.of(),
            new RunDescription.RecorderProcess(1, "here", Instant.EPOCH),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false);
    RankHeader header =
        RankHeader.create(Wire.FileKind.ORDER, Wire.Mode.RECORD, new Rank(0), 1)
            .with(HeaderField.FLAGS, flags)
            .withCallCount(CallTable.ofInterposer().names().indexOf("Fetch_and_op"), flags);
    return new RecordedRun(
        new RunDirectory(directory), description, new TreeMap<>(Map.of(new Rank(0), header)));
  }

  @Test
  void nothingIsSaidWhereNothingChanged() {
    assertThat(
            ReplayNotes.of(
                run(new Ending.Exited(0), 0),
                true,
                COMMAND,
                SAME,
                Map.of("OMPI_MCA_btl", "self", "PATH", "/bin", "EDITOR", "vi")))
        .isEmpty();
  }

  @Test
  void everyDifferenceIsSaid() throws Exception {
    RecordedRun run = run(new Ending.Unfinished(), 1);
    Files.writeString(program, "version 2");
    Files.delete(run.directory().inputsFile(new Rank(0)));
    List<String> notes =
        ReplayNotes.of(
            run,
            true,
            List.of("mpirun", "-n", "3", "./solver"),
            mpi(MpiFamily.MPICH, "MPICH 4.0.2"),
            Map.of("OMPI_MCA_pml", "ob1", "PATH", "/usr/bin"));
    assertThat(notes)
        .containsExactly(
            "the program has changed since it was recorded: " + program,
            "recorded with Open MPI 4.1.4, replayed with MPICH 4.0.2",
            "another command than the recorded one, which was: mpirun -n 2 ./solver",
            "OMPI_MCA_btl is not set now; the replay gets the recorded one",
            "OMPI_MCA_pml was not set when recorded; it is unset for the replay",
            "PATH has another value now; the replay gets the recorded one",
            "the recorder was killed; what the ranks had left by then is replayed",
            "not recorded, so it may not repeat: MPI_Fetch_and_op",
            "the recording of rank 0 stops where the disk was full",
            "rank 0 left no inputs in the recording; what was read from clocks and random sources"
                + " may differ");
    Files.delete(program);
    assertThat(ReplayNotes.of(run, true, COMMAND, SAME, Map.of()))
        .contains("the recorded program is gone: " + program);
  }

  @Test
  void whatIsNotTakenFromSomebodyElsesRunIsSaid() {
    assertThat(
            ReplayNotes.of(
                run(new Ending.Exited(0), 0),
                false,
                COMMAND,
                SAME,
                Map.of("OMPI_MCA_btl", "tcp", "PATH", "/usr/bin", "LD_PRELOAD", "/mine.so")))
        .contains(
            "PATH differs, and is not taken from the run; the replay gets yours",
            "OMPI_MCA_btl has another value now; the replay gets the recorded one")
        .noneMatch(note -> note.contains("LD_PRELOAD"));
  }

  @Test
  void whatTheRecordingDoesNotHoldIsSaidAgain() {
    int flags = 1 << Wire.Flag.CONCURRENT.ordinal() | 1 << Wire.Flag.SECOND_JOB.ordinal();
    assertThat(
            ReplayNotes.of(
                run(new Ending.Exited(0), flags),
                true,
                COMMAND,
                SAME,
                Map.of("OMPI_MCA_btl", "self", "PATH", "/bin")))
        .contains(
            "rank 0 called MPI from several threads at the same time;"
                + " the order among them may not repeat",
            "the command started more than one MPI job; only the first is recorded");
  }
}
