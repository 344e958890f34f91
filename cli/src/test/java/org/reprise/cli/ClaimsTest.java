package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.reprise.analysis.Claims;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Progress;
import org.reprise.cli.terminal.Session;
import org.reprise.findings.Report;
import org.reprise.trace.Rank;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/** A claim about all runs is made where every precondition holds, and nowhere else. */
class ClaimsTest {
  private static final int STATE_AT = 40;
  private static final int FLAGS_AT = 48;
  private static final int CALL_COUNTS_AT = 4096;

  @TempDir Path directory;
  private Shell shell = new Shell(Path.of("unset"));
  private RunDirectory run = new RunDirectory(Path.of("unset"));

  @BeforeEach
  void record() throws IOException {
    shell = new Shell(directory.resolve("runs"));
    run = SampleRuns.orderly(shell.store());
  }

  private Claims claims() {
    Session session = shell.session();
    RecordedRun recorded = RecordedRun.open(run);
    RunEvents events = session.events(recorded);
    EventGraph graph = events.graph(Progress.NONE);
    return Claims.of(recorded, events, graph);
  }

  /** Changes a number in the header of rank 1's order, as if its recording had been so. */
  private void set(int at, int value) throws IOException {
    byte[] bytes = Files.readAllBytes(run.orderFile(new Rank(1)));
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    Files.write(run.orderFile(new Rank(1)), bytes);
    SampleRuns.keepEvents(run, EventsManifest.Origin.RECORDED);
  }

  private void requireWithheld(String reason) {
    Report.Verdict verdict = claims().ofRaces(0, 0);
    assertThat(verdict.word()).isEqualTo("open");
    assertThat(verdict.sentence())
        .contains("Nothing is claimed about other runs, because ", reason)
        .doesNotContain("Theorem", "every run");
    assertThat(verdict.withheld()).anyMatch(one -> one.contains(reason));
  }

  @Test
  void whereEverythingHoldsTheTheoremIsStated() {
    assertThat(claims().ofRaces(0, 0).sentence())
        .contains(
            "every run on this input takes the same order (Netzer and Miller 1992, Theorem 1)");
    assertThat(claims().ofRaces(0, 0).withheld()).isEmpty();
    for (Claims.Claim claim : Claims.Claim.values()) {
      assertThat(claims().allow(claim)).as("%s", claim).isTrue();
    }
    assertThat(shell.type("races", "--format", "json")).isZero();
    assertThat(shell.out()).contains("\"verdict\" : \"one-order\"", "\"withheld\" : [ ]");
  }

  @ParameterizedTest
  @EnumSource(EventsManifest.Origin.class)
  void eventsOfAReplayThatWasNotJudgedTheSameProveNothing(EventsManifest.Origin origin) {
    SampleRuns.keepEvents(run, origin);
    if (origin.isWhole()) {
      assertThat(claims().allow(Claims.Claim.ONE_ORDER)).isTrue();
    } else {
      requireWithheld("the events are not whole");
      assertThat(claims().notes().getFirst())
          .contains("rank 0 ends after 1 event, rank 1 ends after 1 event");
      assertThat(claims().allow(Claims.Claim.CONTROL_SET)).isFalse();
      assertThat(claims().allow(Claims.Claim.NO_OTHER_ORDER)).isFalse();
    }
  }

  @Test
  void eventsThatNobodySaysAnythingOfAreNotRead() throws IOException {
    Files.delete(run.eventsManifestFile());
    requireWithheld("the events are not whole");
    assertThat(claims().notes()).noneMatch(note -> note.contains("program"));
    assertThat(shell.session().events(RecordedRun.open(run)).ranks()).isEmpty();
  }

  @Test
  void eventsOfAnotherProgramProveNothing() {
    RecordedRun recorded = RecordedRun.open(run);
    EventsManifest.of(
            recorded, run, EventsManifest.Origin.SAME_ORDER, Optional.of("beef"), List.of())
        .keep(run);
    requireWithheld("the program is not the recorded one");
  }

  @Test
  void eventsOfAProgramThatWasNotFoundProveNothing() throws IOException {
    EventsManifest.Origin learned = EventsManifest.Origin.SAME_ORDER;
    EventsManifest.of(RecordedRun.open(run), run, learned, Optional.empty(), List.of()).keep(run);
    requireWithheld("it is not known whether the program is the recorded one");
    Files.writeString(
        run.descriptionFile(),
        Files.readString(run.descriptionFile())
            .replaceFirst("(?s)\"program\" : \\{.*?\\},\\s*", ""));
    assertThat(run.description().program()).isEmpty();
    SampleRuns.keepEvents(run, learned);
    requireWithheld("it is not known whether the program is the recorded one");
    SampleRuns.keepEvents(run, EventsManifest.Origin.RECORDED);
    assertThat(claims().allow(Claims.Claim.ONE_ORDER)).isTrue();
  }

  @Test
  void eventsThatEndSoonerThanTheRecordingProveNothing() {
    RecordedRun recorded = RecordedRun.open(run);
    EventsManifest.of(
            recorded,
            run,
            EventsManifest.Origin.SAME_ORDER,
            Optional.of("00ff"),
            List.of(new Rank(1)))
        .keep(run);
    requireWithheld("the events are not whole");
  }

  @Test
  void aRankThatWasKilledProvesNothing() throws IOException {
    set(STATE_AT, Wire.State.RUNNING.ordinal());
    requireWithheld("the run ended before all ranks came to MPI_Finalize");
    assertThat(claims().notes())
        .contains("rank 1 did not come to MPI_Finalize: rank 1 ends after 1 event");
    assertThat(claims().allow(Claims.Claim.CONTROL_SET)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "MANY_THREADS, threads of a rank may take other turns",
    "DISK_FULL, a disk was full",
    "SPAWNED, the processes outside the job were not recorded",
    "SECOND_JOB, the other MPI jobs were not recorded"
  })
  void whatAFlagTellsIsAReason(Wire.Flag flag, String reason) throws IOException {
    set(FLAGS_AT, 1 << flag.ordinal());
    requireWithheld(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "Fetch_and_op, it called MPI_Fetch_and_op",
    "Accumulate, it called MPI_Accumulate",
    "Win_fence, it called MPI_Win_fence",
    "File_write_shared, it called MPI_File_write_shared",
    "Comm_connect, the processes outside the job were not recorded"
  })
  void aCallThatIsNotFollowedIsAReason(String call, String reason) throws IOException {
    int number = run.description().callNames().indexOf(call);
    set(CALL_COUNTS_AT + Long.BYTES * number, 1);
    requireWithheld(reason);
  }

  @Test
  void aRankThatLeftNothingIsAReason() throws IOException {
    Files.delete(run.orderFile(new Rank(1)));
    SampleRuns.keepEvents(run, EventsManifest.Origin.RECORDED);
    requireWithheld("there is no recording of rank 1");
  }

  /** A replay forces what polls did, so that the control set stands. */
  @Test
  void aPollIsAReasonButNotAgainstTheControlSet() throws IOException {
    run = SampleRuns.polling(shell.store());
    requireWithheld("it polled");
    assertThat(claims().allow(Claims.Claim.CONTROL_SET)).isTrue();
  }

  @Test
  void nothingIsClaimedWhereSomethingIsSuppressed() {
    assertThat(claims().ofRaces(0, 1))
        .isEqualTo(
            new Report.Verdict("races", "nothing found besides what is suppressed.", List.of()));
    assertThat(claims().ofRaces(2, 1).sentence()).isEqualTo("2 findings");
  }

  @Test
  void whatWasReadFromClocksIsACondition() throws IOException {
    run = SampleRuns.timed(shell.store());
    assertThat(claims().ofRaces(0, 0).sentence())
        .contains(
            "every run on this input that reads the same from clocks and random sources takes");
  }

  @Test
  void everyFormSaysWhyNothingIsClaimed() throws IOException {
    int number = run.description().callNames().indexOf("Fetch_and_op");
    set(CALL_COUNTS_AT + Long.BYTES * number, 1);
    for (String form : List.of("text", "json", "sarif", "html")) {
      assertThat(shell.type("races", "--format", form)).isZero();
      assertThat(shell.out())
          .as(form)
          .contains("it called MPI_Fetch_and_op")
          .doesNotContain("Theorem");
    }
    assertThat(shell.type("distill", "--name", "less")).as(shell.err()).isZero();
    assertThat(shell.err()).contains("nothing is left out, because it called MPI_Fetch_and_op");
    assertThat(shell.out()).contains("control set at least 0 of 1 receive or probe");
    assertThat(shell.type("graph", "--order", "0:0", "1:0", "--format", "json")).isZero();
    assertThat(shell.out()).contains("not recorded, so it may not repeat: MPI_Fetch_and_op");
    assertThat(shell.type("graph", "--cut", "0,1")).isZero();
    assertThat(shell.out()).contains("a run can be there, as far as is known");
    assertThat(shell.type("races", "--stats")).isZero();
    assertThat(shell.out()).contains("more may be open, because it called MPI_Fetch_and_op");
  }

  @Test
  void aRunWithProcessesOutsideTheJobIsNotDistilled() throws IOException {
    set(FLAGS_AT, 1 << Wire.Flag.SPAWNED.ordinal());
    assertThat(shell.type("distill")).isEqualTo(1);
    assertThat(shell.err())
        .contains("orderly-1 cannot be distilled", "processes outside the job took part");
  }
}
