package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs that need a process of their own: bad ends, threads, processes, files. */
class AloneTest {
  private static final int RANKS = 4;
  private static final JitterSeeds REPLAYS = JitterSeeds.drawn("AloneTest", 1);

  /** What such a program ends with if its MPI lacks what it needs. */
  private static final int LACKING = 77;

  private static final String SAME_ORDER = "same order: all 4 ranks .*";

  /** Programs that repeat, with what the replay says about their end: a pattern for one line. */
  private static final Map<String, String> REPEATS =
      Map.ofEntries(
          Map.entry("alone_open_receive", SAME_ORDER),
          Map.entry("alone_unseen_cancel", SAME_ORDER),
          Map.entry("alone_atexit", SAME_ORDER),
          Map.entry("alone_threads_requested", SAME_ORDER),
          Map.entry("alone_threads_serialized", SAME_ORDER),
          Map.entry("alone_openmp", SAME_ORDER),
          Map.entry("alone_fork", SAME_ORDER),
          Map.entry(
              "alone_exit",
              ".*rank \\d was outside MPI .* and exited with status 0 without MPI_Finalize"),
          Map.entry("alone_abort", ".*rank 3 was in MPI_Abort .* and called MPI_Abort with 3"),
          Map.entry("alone_error_abort", ".*rank 3 was in MPI_Send .* and called MPI_Abort with 4"),
          Map.entry("alone_segv", ".*rank 3 was outside MPI .* and was killed"),
          Map.entry("alone_kill", ".*rank 3 was outside MPI .* and was killed"));

  /** Programs that do what is not recorded, with the function that both commands name. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "alone_spawn", "MPI_Comm_spawn",
          "alone_window", "MPI_Fetch_and_op",
          "alone_shared_pointer", "MPI_File_write_shared",
          "alone_partitioned", "MPI_Psend_init");

  @RegisterExtension private final Workbench bench = new Workbench();

  private static Stream<Arguments> repeats() {
    return onEach(REPEATS);
  }

  private static Stream<Arguments> refused() {
    return onEach(REFUSED);
  }

  private static Stream<Arguments> onEach(Map<String, String> programs) {
    return new TreeMap<>(programs)
        .entrySet().stream()
            .flatMap(
                e ->
                    DrawnMpi.Draw.of(e.getKey()).stream()
                        .map(mpi -> Arguments.of(mpi, e.getKey(), e.getValue())));
  }

  private Ran record(Mpi mpi, String program, Object... arguments) {
    return bench.record(mpi.job(RANKS, bench.example(mpi, program), arguments));
  }

  /**
   * The hash that this run told. It comes by way of a file: MPICH's launcher drops what is on its
   * way to it when a rank aborts.
   */
  private String hash(Ran ran, String program) {
    Path file = hashes();
    String told = "";
    try {
      if (Files.exists(file)) {
        told = Files.readString(file);
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> hashes = Scenario.hashes(told);
    assertThat(hashes).as("%s", ran).containsOnlyKeys(program);
    return hashes.getOrDefault(program, "");
  }

  private Path hashes() {
    return bench.directory().resolve("hashes");
  }

  @BeforeEach
  void tellHashesByFile() {
    bench.set("CONFORMANCE_HASHES", hashes().toString());
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void everyProgramIsTested(Mpi mpi) {
    Ran list = bench.run(List.of(bench.example(mpi, "conformance").toString(), "--list-alone"));
    List<String> tested = new ArrayList<>(REPEATS.keySet());
    tested.addAll(REFUSED.keySet());
    tested.addAll(List.of("alone_poll_file", "alone_session", "alone_threads_multiple"));
    assertThat(Scenario.listed(list.out()))
        .extracting(Scenario::name)
        .containsExactlyInAnyOrderElementsOf(tested);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("repeats")
  void aReplayEndsAsTheRunDidAndHasItsHash(Mpi mpi, String program, String end) {
    Ran recording = record(mpi, program);
    String recorded = hash(recording, program);
    for (long seed : REPLAYS.seeds()) {
      Ran replay = bench.replay("--jitter", Long.toString(seed));
      assertThat(hash(replay, program)).as("%s", replay).isEqualTo(recorded);
      assertThat(replay.told().getFirst()).as("%s", replay).startsWith("same order");
      assertThat(replay.told()).anyMatch(Pattern.compile(end).asMatchPredicate());
      // After an exit without MPI_Finalize the launchers are of another mind every time.
      if (!program.equals("alone_exit")) {
        assertThat(replay.status()).as("%s", replay).isEqualTo(recording.status());
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void anExitThatRunsNoHandlersIsReplayedToo(Mpi mpi) {
    String recorded = hash(record(mpi, "alone_exit", "_exit"), "alone_exit");
    Ran replay = bench.replay("--jitter", "1");
    assertThat(hash(replay, "alone_exit")).isEqualTo(recorded);
    assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("refused")
  void whatIsNotRecordedIsNamedAtTheRecordingAndAtTheReplay(
      Mpi mpi, String program, String function) {
    // Two ranks: MPICH polls for partitions without yielding, and more would fight for processors.
    Ran recording = bench.record(mpi.job(2, bench.example(mpi, program)));
    if (recording.status() == LACKING && bench.store().latest().ranks().isEmpty()) {
      return; // this MPI is older than the function
    }
    assertThat(recording.told())
        .as("%s", recording)
        .anyMatch(line -> line.startsWith(function + " was called "));
    Ran replay = bench.replay("--jitter", "1");
    assertThat(replay.told())
        .as("%s", replay)
        .anyMatch(line -> line.matches("not recorded, so it may not repeat: .*" + function + ".*"));
    assertThat(replay.told().stream().filter(line -> line.startsWith("same order")))
        .as("the line of the verdict in %s", replay)
        .isNotEmpty()
        .allMatch(
            line -> line.matches("same order of messages.*; not replayed: .*" + function + ".*"));
    assertThat(replay.status()).as("%s", replay).isEqualTo(recording.status());
    Ran races = bench.reprise("races");
    assertThat(races.out()).as("%s", races).doesNotContain("Theorem", "every run");
    if (races.out().contains("nothing found")) {
      assertThat(races.out())
          .as("%s", races)
          .contains("Nothing is claimed about other runs, because ", function);
    }
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void severalThreadsInMpiAreToldAtTheRecordingAndAtTheReplay(Mpi mpi) {
    String sentence = "ranks 0, 1, 2, 3 called MPI from several threads at the same time";
    Ran recording = record(mpi, "alone_threads_multiple");
    String recorded = hash(recording, "alone_threads_multiple");
    assertThat(recording.said()).contains(sentence);
    Ran replay = bench.replay("--jitter", "1");
    assertThat(replay.said()).contains(sentence);
    // Each thread has its own tag, so that each repeats for itself.
    assertThat(hash(replay, "alone_threads_multiple")).as("%s", replay).isEqualTo(recorded);
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void aProgramWithoutMpiInitIsSaidToHaveLeftNothing(Mpi mpi) {
    Ran recording = record(mpi, "alone_session");
    assertThat(recording.said()).contains("no rank left a trace", "MPI_Session_init");
    Ran replay = bench.replay();
    assertThat(replay.status()).as("%s", replay).isEqualTo(1);
    assertThat(replay.err()).contains("no rank left a trace");
  }

  @Test
  void aProgramThatNeverCallsMpiIsNotTheLatestRun() {
    bench.record(Mpi.OPEN_MPI.job(2, bench.example(Mpi.OPEN_MPI, "order_sum"), 2), "--name", "one");
    Ran nothing = bench.record(List.of("true"), "--name", "two");
    assertThat(nothing.status()).as("%s", nothing).isZero();
    assertThat(nothing.err()).contains("nothing to replay in ", "two: no rank left a trace;");
    assertThat(bench.store().latest().name()).isEqualTo("one");
    Ran listed = bench.reprise("ls");
    assertThat(listed.out()).as("%s", listed).containsPattern("(?m)^two +\\S+ \\S+ +0 +exit 0 ");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void pollsWhoseNumberComesFromOutsideLeaveTheOrderAsItIs(Mpi mpi) {
    String recorded = hash(record(mpi, "alone_poll_file"), "alone_poll_file");
    int differences = 0;
    for (long seed : REPLAYS.seeds()) {
      Ran replay = bench.replay("--jitter", Long.toString(seed));
      assertThat(hash(replay, "alone_poll_file")).as("%s", replay).isEqualTo(recorded);
      assertThat(replay.saysSameOrder()).as("%s", replay).isTrue();
      assertThat(replay.status()).isZero();
      differences +=
          (int)
              replay.told().stream()
                  .filter(l -> l.matches("note: rank 0: \\d+ (polls? more|recorded polls? not).*"))
                  .count();
    }
    assertThat(differences).as("replays that polled another number of times").isPositive();
  }
}
