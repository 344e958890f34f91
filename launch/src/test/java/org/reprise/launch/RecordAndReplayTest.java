package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.launch.mpi.Recorder;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.RecordRequest;
import org.reprise.launch.run.Recording;
import org.reprise.launch.run.Replay;
import org.reprise.launch.run.ReplayRequest;
import org.reprise.launch.run.RunRequest;
import org.reprise.launch.verdict.Verdict;
import org.reprise.launch.verdict.VerdictText;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.TraceError;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;

/** Records and replays a real MPI program, with every MPI that is installed. */
@Timeout(120)
class RecordAndReplayTest {
  private static final int RANKS = 3;

  @TempDir Path directory;
  private RunStore store = new RunStore(Path.of("unset"));
  private final List<String> told = new ArrayList<>();

  @BeforeEach
  void open() {
    store = new RunStore(directory.resolve("runs"));
  }

  static Stream<MpiUnderTest> mpis() {
    return MpiUnderTest.installed();
  }

  private Recording record(MpiUnderTest mpi, Surroundings surroundings, String... arguments) {
    Path program = mpi.compileRace(directory);
    RecordRequest request =
        new RecordRequest(
            mpi.command(RANKS, program, arguments), Optional.empty(), OptionalLong.of(1), true);
    return new Recorder(store, surroundings).record(request);
  }

  private Replay replay(RunDirectory run, long jitterSeed, Path output) {
    return replay(run, Optional.empty(), jitterSeed, output);
  }

  private Replay replay(
      RunDirectory run, Optional<List<String>> command, long jitterSeed, Path output) {
    ReplayRequest request =
        new ReplayRequest(
            run,
            command,
            Optional.empty(),
            OptionalLong.of(jitterSeed),
            Duration.ofSeconds(2),
            Optional.of(output));
    return MpiUnderTest.engine(MpiUnderTest.surroundings(Map.of()), told::add).replay(request);
  }

  private List<String> leftBehind(RunDirectory run) throws IOException {
    try (Stream<Path> files = Files.list(run.path())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(n -> n.startsWith("replay"))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("mpis")
  void aReplayTakesTheMessagesInTheRecordedOrder(MpiUnderTest mpi) throws Exception {
    Recording recording = record(mpi, MpiUnderTest.surroundings(Map.of()));
    assertThat(recording.exitStatus()).isZero();
    assertThat(recording.warnings()).isEmpty();
    assertThat(recording.description().ranks()).isEqualTo(RANKS);
    assertThat(recording.description().mpi().family()).isEqualTo(mpi.family());
    assertThat(recording.run().name()).startsWith("race-");
    assertThat(store.latest()).isEqualTo(recording.run());
    String first = null;
    for (int seed = 1; seed <= 3; seed++) {
      Path output = directory.resolve("out" + seed);
      Replay replay = replay(recording.run(), seed, output);
      assertThat(VerdictText.lines(replay.verdict()))
          .first()
          .asString()
          .startsWith("same order: all 3 ranks did what the recording did");
      assertThat(replay.exitStatus()).isZero();
      String order = Files.readString(output.resolve("rank-0.out"));
      assertThat(order).isEqualTo(first == null ? order : first).hasLineCount(1);
      first = order;
    }
    assertThat(told).isEmpty();
    assertThat(leftBehind(recording.run())).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("mpis")
  void aPlainRunLeavesNothing(MpiUnderTest mpi) throws Exception {
    Path program = mpi.compileRace(directory);
    Surroundings surroundings =
        MpiUnderTest.surroundings(Map.of("REPRISE_HOME", store.home().toString()));
    int status =
        MpiUnderTest.engine(surroundings, told::add)
            .run(new RunRequest(mpi.command(RANKS, program), Optional.empty(), OptionalLong.of(7)));
    assertThat(status).isZero();
    assertThat(Files.readString(MpiUnderTest.output(program)).strip().split(" "))
        .hasSize(20 * (RANKS - 1));
    assertThat(store.home()).doesNotExist();
  }

  @ParameterizedTest
  @MethodSource("mpis")
  void aCrashIsReplayedUpToTheCrash(MpiUnderTest mpi) {
    Recording recording = record(mpi, MpiUnderTest.surroundings(Map.of()), "crash");
    // Open MPI's mpirun exits with 128 + 11, as a shell would; MPICH's with 11.
    int status = mpi.family() == MpiFamily.OPEN_MPI ? 139 : 11;
    assertThat(recording.exitStatus()).isEqualTo(status);
    assertThat(recording.description().ending()).isEqualTo(Ending.ofExitStatus(status));
    Replay replay = replay(recording.run(), 5, directory.resolve("out"));
    assertThat(VerdictText.lines(replay.verdict()))
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches("the recording ends here: rank 0 was outside MPI .* and was killed"));
    assertThat(replay.exitStatus()).isEqualTo(status);
  }

  @ParameterizedTest
  @MethodSource("mpis")
  void standardInputAndExitStatusAreRepeated(MpiUnderTest mpi) throws Exception {
    Surroundings here = MpiUnderTest.surroundings(Map.of());
    byte[] input = "42\n".getBytes(StandardCharsets.UTF_8);
    Recording recording =
        record(
            mpi,
            new Surroundings(
                here.environment(),
                here.directory(),
                new StandardInput.Piped(new ByteArrayInputStream(input))),
            "status");
    assertThat(recording.exitStatus()).isEqualTo(42);
    assertThat(recording.run().stdinFile()).hasBinaryContent(input);
    Replay replay = replay(recording.run(), 2, directory.resolve("out"));
    assertThat(replay.verdict()).isInstanceOf(Verdict.SameOrder.class);
    assertThat(replay.exitStatus()).isEqualTo(42);
    Files.write(recording.run().stdinFile(), Arrays.copyOf(input, 1));
    assertThatThrownBy(() -> replay(recording.run(), 3, directory.resolve("cut")))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("is cut short")
        .hasMessageContaining("1 of 3 bytes");
  }

  @ParameterizedTest
  @MethodSource("mpis")
  void aProgramThatDoesSomethingElseIsFound(MpiUnderTest mpi) {
    Recording recording = record(mpi, MpiUnderTest.surroundings(Map.of()), "other");
    Replay replay = replay(recording.run(), 3, directory.resolve("out"));
    assertThat(String.join("\n", VerdictText.lines(replay.verdict())))
        .contains("diverged: rank 0 left the recorded order at outcome 5, in MPI_Probe")
        .contains("recorded: a blocking receive took a message of source")
        .contains("now:      MPI_Probe from any source, tag 0");
    assertThat(replay.exitStatus()).isEqualTo(67);
  }

  @ParameterizedTest
  @MethodSource("mpis")
  void aRecordedDeadlockIsReplayedAndEnded(MpiUnderTest mpi) throws Exception {
    Path program = mpi.compileRace(directory);
    List<String> command = mpi.command(RANKS, program, "deadlock");
    // Long enough for a slow machine to come to the deadlock. The replay needs no such end.
    List<String> words = new ArrayList<>(List.of("timeout", "-s", "KILL", "10"));
    words.addAll(command);
    Recording recording =
        new Recorder(store, MpiUnderTest.surroundings(Map.of()))
            .record(new RecordRequest(words, Optional.empty(), OptionalLong.empty(), true));
    assertThat(recording.exitStatus()).isEqualTo(137);
    Replay replay = replay(recording.run(), Optional.of(command), 3, directory.resolve("out"));
    assertThat(String.join("\n", VerdictText.lines(replay.verdict())))
        .contains("same order: all 3 ranks")
        .contains("the recording ends here: rank 0 was in MPI_Recv")
        .contains("nothing moved any more");
  }

  @ParameterizedTest
  @MethodSource("mpis")
  void aReplayThatCannotGoOnIsEnded(MpiUnderTest mpi) throws Exception {
    Recording recording = record(mpi, MpiUnderTest.surroundings(Map.of()), "stuck");
    Replay replay = replay(recording.run(), 3, directory.resolve("out"));
    assertThat(String.join("\n", VerdictText.lines(replay.verdict())))
        .contains("stuck: no rank made progress for 2 s")
        .containsPattern(
            "rank 0 was in MPI_Recv \\(call \\d+\\) at main race.c:\\d+, waiting for a message")
        .containsPattern("waiting for a message of source 2.*, tag \\d+, in MPI_COMM_WORLD")
        .contains("rank 2 was in MPI_Recv");
    assertThat(replay.exitStatus()).isEqualTo(67);
    assertThat(leftBehind(recording.run())).isEmpty();
  }
}
