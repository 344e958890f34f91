package org.reprise.launch.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reprise.launch.Golden;
import org.reprise.trace.Location;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.WaitNote;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.run.Ending;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;

/** Verdicts on headers as ranks leave them; the rank files are written here, not by ranks. */
public class JudgeTest {
  private static final int RANKS = 2;
  private static final List<String> CALLS =
      List.of("Init", "Recv", "Waitany", "Finalize", "Fetch_and_op", "Comm_spawn");
  private static final List<Outcome> OUTCOMES =
      List.of(
          new Outcome.Recv(1, OptionalInt.of(5)),
          new Outcome.FailedPolls(3),
          new Outcome.Index(OptionalInt.of(2)));

  @TempDir Path directory;
  private RunDirectory run = new RunDirectory(Path.of("unset"));
  private final SortedMap<Rank, RankHeader> replayed = new TreeMap<>();

  public static RunDescription description(MpiFamily family, List<String> command, Path directory) {
    return new RunDescription(
        "0.1.0",
        Wire.VERSION,
        "race-1",
        command,
        directory.toString(),
        Optional.empty(),
        new RunDescription.Mpi(family, family + " 4.1.4", "/usr/bin/mpicc"),
        RANKS,
        List.of("here"),
        new TreeMap<>(),
        true,
        OptionalLong.empty(),
        false,
        OptionalLong.empty(),
        CALLS,
        Instant.EPOCH,
        Optional.of(Instant.EPOCH),
        new Ending.Exited(0),
        List.of(),
        new RunDescription.RecorderProcess(1, "nowhere", Instant.EPOCH),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false);
  }

  @BeforeEach
  void record() throws IOException {
    run = new RunDirectory(directory);
    run.describe(description(MpiFamily.OPEN_MPI, List.of("./race"), directory));
    for (int rank = 0; rank < RANKS; rank++) {
      Files.createFile(run.inputsFile(new Rank(rank)));
    }
  }

  private static RankHeader header(int rank, Wire.Mode mode) {
    return RankHeader.create(Wire.FileKind.ORDER, mode, new Rank(rank), RANKS)
        .with(HeaderField.STATE, Wire.State.FINALIZED.ordinal())
        .with(HeaderField.EVENTS, 7)
        .with(HeaderField.HASH_ODD, 0xabc)
        .withCallCount(0, 20);
  }

  private void recorded(RankHeader header) {
    try (OrderWriter writer = new OrderWriter(run.orderFile(header.rank()), header)) {
      OUTCOMES.forEach(writer::write);
    }
  }

  private void replayed(RankHeader header) {
    replayed.put(header.rank(), header);
  }

  private static RankHeader killed(RankHeader header) {
    return header
        .with(HeaderField.STATE, Wire.State.RUNNING.ordinal())
        .with(HeaderField.CURRENT_CALL, 2);
  }

  private static RankHeader diverged(RankHeader header, Wire.DivergenceKind what, int call) {
    return header
        .with(HeaderField.DIVERGENCE_WHAT, what.ordinal())
        .with(HeaderField.DIVERGENCE_CALL, call)
        .with(HeaderField.DIVERGENCE_CALL_NUMBER, 9)
        .with(HeaderField.DIVERGENCE_NANOS, 1000 - header.rank().number());
  }

  private List<String> judge() {
    return judge(Optional.empty(), false);
  }

  private List<String> judge(Optional<Stall> stall, boolean interrupted) {
    return VerdictText.lines(
        new Judge(RecordedRun.open(run), replayed, this::place).verdict(stall, interrupted));
  }

  private void recordBoth() {
    recorded(header(0, Wire.Mode.RECORD));
    recorded(header(1, Wire.Mode.RECORD));
  }

  private OptionalInt line = OptionalInt.empty();

  private Optional<Location> place(RankHeader header) {
    return line.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Location(Optional.of("main"), Optional.of("hang.c"), line, Optional.empty()));
  }

  @Test
  void equalHashesAreTheSameOrder() {
    recordBoth();
    replayed(header(0, Wire.Mode.REPLAY));
    replayed(header(1, Wire.Mode.REPLAY).with(HeaderField.SENDS_DEFERRED, 1));
    assertThat(judge())
        .containsExactly(
            "same order: all 2 ranks did what the recording did, 6 outcomes",
            "note: rank 1: 1 send finished later");
  }

  /** A rank without outcomes has come to the end of them before it does anything. */
  @Test
  void noRankOfAKilledJvmExplainsWhyTheOthersEndedSooner() {
    run.describe(description(MpiFamily.EMBEDDED, List.of("Race"), directory));
    recorded(killed(header(0, Wire.Mode.RECORD)));
    recorded(killed(header(1, Wire.Mode.RECORD)));
    replayed(killed(header(0, Wire.Mode.REPLAY)).with(HeaderField.REPLAYED, 0));
    replayed(
        header(1, Wire.Mode.REPLAY)
            .with(HeaderField.REPLAYED, 3)
            .with(HeaderField.HASH_AT_END, 0xabc)
            .with(HeaderField.FLAGS, 8));
    assertThat(String.join("\n", judge()))
        .contains("ended early", "rank 0 had replayed 0 of 3 outcomes")
        .doesNotContain("same order");
  }

  /** A rank that had come to MPI_Finalize in the recording may be overtaken by the abort, too. */
  @ParameterizedTest
  @EnumSource(
      value = Wire.State.class,
      names = {"RUNNING", "FINALIZED"})
  void aRankThatIsCutOffSoonerByTheRecordedEndOfTheJobIsTheSameOrder(Wire.State then) {
    recorded(header(0, Wire.Mode.RECORD).with(HeaderField.STATE, Wire.State.ABORTED.ordinal()));
    recorded(header(1, Wire.Mode.RECORD).with(HeaderField.STATE, then.ordinal()));
    RankHeader aborted = header(0, Wire.Mode.REPLAY);
    replayed(
        aborted
            .with(HeaderField.STATE, Wire.State.ABORTED.ordinal())
            .with(HeaderField.FLAGS, 8)
            .with(HeaderField.HASH_AT_END, aborted.orderHash()));
    replayed(
        header(1, Wire.Mode.REPLAY)
            .with(HeaderField.STATE, Wire.State.RUNNING.ordinal())
            .with(HeaderField.REPLAYED, 1));
    assertThat(judge())
        .first()
        .isEqualTo(
            "same order as far as it went: all 2 ranks did what the recording did,"
                + " 4 of 6 outcomes, until the job ended");
    assertThat(judge())
        .contains("the job ended as it was recorded; by then rank 1 had replayed 1 of 3 outcomes");
  }

  @Test
  void anotherHashIsADivergence() {
    recordBoth();
    replayed(header(0, Wire.Mode.REPLAY));
    replayed(header(1, Wire.Mode.REPLAY).with(HeaderField.HASH_ODD, 0xdef));
    assertThat(judge())
        .containsExactly(
            "diverged: rank 1 left the recorded order",
            "  recorded: 7 messages with order hash 0000000000000abc",
            "  now:      7 messages with order hash 0000000000000def");
  }

  @Test
  void hashesOfSeveralThreadsAtOnceDoNotTell() {
    recorded(header(0, Wire.Mode.RECORD).with(HeaderField.FLAGS, 4));
    recorded(header(1, Wire.Mode.RECORD));
    replayed(header(0, Wire.Mode.REPLAY).with(HeaderField.FLAGS, 4).with(HeaderField.HASH_ODD, 1));
    replayed(header(1, Wire.Mode.REPLAY));
    assertThat(judge())
        .containsExactly(
            "same order of messages: all 2 ranks received as recorded, 6 outcomes; not replayed: the"
                + " order among threads that were in MPI at the same time",
            "note: rank 0: several threads called MPI at once, so its order is not verified");
  }

  /** The verdict's own line says it: whoever reads no other must not be misled. */
  @Test
  void whatIsNotRecordedStandsInTheLineOfTheVerdict() throws IOException {
    int fetchAndOp = CALLS.indexOf("Fetch_and_op");
    int spawn = CALLS.indexOf("Comm_spawn");
    recorded(header(0, Wire.Mode.RECORD).withCallCount(fetchAndOp, 3).withCallCount(spawn, 1));
    recorded(header(1, Wire.Mode.RECORD).with(HeaderField.FLAGS, flag(Wire.Flag.DISK_FULL)));
    Files.delete(run.inputsFile(new Rank(1)));
    replayed(header(0, Wire.Mode.REPLAY).with(HeaderField.INPUTS_UNMATCHED, 2));
    replayed(header(1, Wire.Mode.REPLAY).with(HeaderField.FLAGS, flag(Wire.Flag.TURNS_GIVEN_UP)));
    assertThat(judge().getFirst())
        .isEqualTo(
            "same order of messages: all 2 ranks received as recorded, 6 outcomes; not replayed:"
                + " MPI_Fetch_and_op, MPI_Comm_spawn, the processes outside the job, what rank 1"
                + " did after the disk was full, clocks and random sources of rank 1, some clock"
                + " or random values of rank 0, the order among threads of rank 1");
  }

  @Test
  void theOtherJobsOfACommandStandThereToo() {
    recorded(header(0, Wire.Mode.RECORD).with(HeaderField.FLAGS, flag(Wire.Flag.SECOND_JOB)));
    recorded(header(1, Wire.Mode.RECORD));
    replayed(header(0, Wire.Mode.REPLAY));
    replayed(header(1, Wire.Mode.REPLAY));
    assertThat(judge().getFirst()).endsWith("; not replayed: the other MPI jobs");
  }

  /** What this Reprise does not know was not recorded by it either. */
  @Test
  void aCallThatIsNotKnownIsNotReplayed() {
    RunDescription known = description(MpiFamily.OPEN_MPI, List.of("./race"), directory);
    run.describe(withCallNames(known, List.of("Init", "Recv", "Waitany", "Finalize", "Warp")));
    recorded(header(0, Wire.Mode.RECORD).withCallCount(4, 1));
    recorded(header(1, Wire.Mode.RECORD));
    replayed(header(0, Wire.Mode.REPLAY));
    replayed(header(1, Wire.Mode.REPLAY));
    assertThat(judge().getFirst()).endsWith("; not replayed: MPI_Warp");
  }

  private static RunDescription withCallNames(RunDescription of, List<String> names) {
    return of.with().callNames(names).build();
  }

  private static long flag(Wire.Flag flag) {
    return 1L << flag.ordinal();
  }

  @Test
  void aRecordingThatWasCutOffIsComparedWhereItEnds() {
    recorded(killed(header(0, Wire.Mode.RECORD)));
    recorded(
        header(1, Wire.Mode.RECORD)
            .with(HeaderField.STATE, Wire.State.ABORTED.ordinal())
            .with(HeaderField.EXIT_CODE, 3));
    for (int rank = 0; rank < RANKS; rank++) {
      replayed(
          header(rank, Wire.Mode.REPLAY)
              .with(HeaderField.EVENTS, 30)
              .with(HeaderField.HASH_AT_END, 0xabc)
              .with(HeaderField.FLAGS, 8));
    }
    assertThat(judge())
        .containsExactly(
            "same order: all 2 ranks did what the recording did, 6 outcomes",
            "the recording ends here: rank 0 was in MPI_Recv (call 20) and was killed",
            "the recording ends here: rank 1 was outside MPI (after call 20) and called MPI_Abort"
                + " with 3");
    replayed(replayed.firstEntry().getValue().with(HeaderField.HASH_AT_END, 0xabd));
    assertThat(judge().getFirst()).isEqualTo("diverged: rank 0 left the recorded order");
  }

  @Test
  void theRankThatDivergedFirstIsNamed() {
    recordBoth();
    replayed(
        diverged(header(0, Wire.Mode.REPLAY), Wire.DivergenceKind.OTHER_CALL, 1)
            .with(HeaderField.DIVERGENCE_OUTCOME, 2));
    replayed(
        diverged(header(1, Wire.Mode.REPLAY), Wire.DivergenceKind.OTHER_CALL, 2)
            .with(HeaderField.DIVERGENCE_OUTCOME, 0)
            .with(HeaderField.DIVERGENCE_FOUND_FIRST, 4));
    assertThat(judge())
        .containsExactly(
            "diverged: rank 1 left the recorded order at outcome 0, in MPI_Waitany (call 9)",
            "  recorded: a blocking receive took a message of source 1, tag 5",
            "  now:      MPI_Waitany of 4 requests",
            "  rank 0 diverged later");
  }

  @Test
  void everyKindOfDivergenceReadsAsItShould() throws Exception {
    recordBoth();
    StringBuilder text = new StringBuilder();
    for (Wire.DivergenceKind what : Wire.DivergenceKind.values()) {
      if (what != Wire.DivergenceKind.SAME) {
        replayed(
            diverged(header(0, Wire.Mode.REPLAY), what, what.ordinal() == 1 ? 1 : 2)
                .with(HeaderField.DIVERGENCE_OUTCOME, 2)
                .with(HeaderField.DIVERGENCE_EXPECTED_SECOND, 0xbeef)
                .with(HeaderField.DIVERGENCE_FOUND_FIRST, what.ordinal() == 1 ? -1 : 2)
                .with(HeaderField.DIVERGENCE_FOUND_SECOND, 1024));
        text.append(what).append('\n');
        judge().forEach(line -> text.append(line).append('\n'));
      }
    }
    Golden.assertMatches("divergences.txt", text.toString());
  }

  @Test
  void aStuckReplayTellsWhereEachRankWaits() {
    recordBoth();
    replayed(killed(header(0, Wire.Mode.REPLAY)).with(HeaderField.WAITING_SOURCE, 1));
    replayed(
        header(1, Wire.Mode.REPLAY).with(HeaderField.STATE, 0).with(HeaderField.POLLS_BEYOND, 5));
    Stall stall = new Stall(false, Duration.ofSeconds(30), replayed, Set.of(), Map.of());
    assertThat(judge(Optional.of(stall), false))
        .containsExactly(
            "stuck: no rank made progress for 30 s, though the recording went on; the replay was"
                + " ended",
            "  rank 0 was in MPI_Recv (call 20), waiting for a message of source 1",
            "  rank 1 was outside MPI (after call 20), polling in vain",
            "note: rank 1: 5 polls more than recorded");
  }

  @Test
  void aStuckReplayNamesTheLineAndWhatIsWaitedForAndWhoIsStopped() {
    recordBoth();
    line = OptionalInt.of(8);
    WaitNote receive = new WaitNote(Wire.Wait.RECEIVE, -1, 4, WaitNote.COMM_WORLD);
    replayed(killed(header(0, Wire.Mode.REPLAY)).withWait(0, receive));
    replayed(killed(header(1, Wire.Mode.REPLAY)).with(HeaderField.PID, 4711));
    Stall stall = new Stall(false, Duration.ofSeconds(30), replayed, Set.of(new Rank(1)), Map.of());
    assertThat(judge(Optional.of(stall), false))
        .contains(
            "  rank 0 was in MPI_Recv (call 20) at main hang.c:8, waiting for a message of any"
                + " source, tag 4, in MPI_COMM_WORLD",
            "  rank 1 was in MPI_Recv (call 20) at main hang.c:8, stopped by a signal; kill -CONT"
                + " 4711 would have resumed it");
  }

  @Test
  void ranksThatRestWhereTheyOnceFinishedAreStuck() {
    recordBoth();
    RankHeader atEnd = killed(header(0, Wire.Mode.REPLAY)).with(HeaderField.FLAGS, 8);
    replayed(atEnd);
    replayed(killed(header(1, Wire.Mode.REPLAY)).with(HeaderField.FLAGS, 8));
    Stall stall = new Stall(true, Duration.ofSeconds(30), replayed, Set.of(), Map.of());
    assertThat(judge(Optional.of(stall), false).getFirst()).startsWith("stuck: ");
  }

  @Test
  void aRankThatWaitsForRequestsNamesThem() {
    recordBoth();
    RankHeader waits =
        killed(header(0, Wire.Mode.REPLAY))
            .withWait(0, new WaitNote(Wire.Wait.RECEIVE, 1, 4, 77))
            .withWait(1, new WaitNote(Wire.Wait.SEND, 2, 5, 0))
            .withWait(2, new WaitNote(Wire.Wait.OTHER, -1, -1, 0))
            .with(HeaderField.WAIT_COUNT, 3);
    assertThat(WaitText.of(waits))
        .contains(
            "3 requests: a receive from 1, tag 4, in another communicator than MPI_COMM_WORLD; a"
                + " send to 2, tag 5; one that is neither a send nor a receive");
    assertThat(WaitText.of(waits.with(HeaderField.WAIT_COUNT, 30)).orElseThrow())
        .endsWith("; and 27 more");
    assertThat(WaitText.of(waits.with(HeaderField.CURRENT_CALL, 0))).isEmpty();
  }

  @Test
  void aDivergenceExplainsWhyAReplayGotStuck() {
    recordBoth();
    replayed(diverged(header(0, Wire.Mode.REPLAY), Wire.DivergenceKind.FEWER_CALLS, 3));
    Stall stall = new Stall(false, Duration.ofSeconds(30), replayed, Set.of(), Map.of());
    assertThat(judge(Optional.of(stall), false).getFirst()).startsWith("diverged: rank 0");
  }

  @Test
  void aProgramThatEndsTooEarlyIsNotTheSame() {
    recordBoth();
    replayed(killed(header(0, Wire.Mode.REPLAY)).with(HeaderField.REPLAYED, 2));
    assertThat(judge())
        .containsExactly(
            "ended early: the program ended before its recording did",
            "  rank 0 had replayed 2 of 3 outcomes",
            "  rank 1 left no trace");
    assertThat(judge(Optional.empty(), true).getFirst()).startsWith("interrupted:");
  }

  @Test
  void aReplayThatTheUserEndedBehindItsLastOutcomeMayNotHaveComeToTheEnd() {
    recorded(killed(header(0, Wire.Mode.RECORD)));
    recorded(killed(header(1, Wire.Mode.RECORD)));
    RankHeader there =
        killed(header(0, Wire.Mode.REPLAY))
            .with(HeaderField.REPLAYED, 3)
            .with(HeaderField.HASH_AT_END, 0xabc)
            .with(HeaderField.FLAGS, 1L << Wire.Flag.REACHED_END.ordinal());
    replayed(there);
    replayed(there.with(HeaderField.RANK, 1));
    assertThat(judge(Optional.empty(), true).getFirst()).startsWith("same order");
    replayed(there.withCallCount(0, 18).with(HeaderField.POLLS_SKIPPED, 2));
    assertThat(judge(Optional.empty(), true).getFirst()).startsWith("same order");
    replayed(there.withCallCount(0, 18));
    assertThat(judge(Optional.empty(), true))
        .containsExactly(
            "interrupted: the replay was ended before its recording was over",
            "  rank 0 had replayed 3 of 3 outcomes");
    assertThat(judge().getFirst()).startsWith("same order");
  }

  @Test
  void aJobOfAnotherSizeIsADivergence() {
    recordBoth();
    replayed(header(0, Wire.Mode.REPLAY).with(HeaderField.RANKS, 5));
    assertThat(judge())
        .containsExactly(
            "diverged: rank 0 left the recorded order",
            "  recorded: a job of 2 ranks",
            "  now:      a job of 5 ranks");
  }
}
