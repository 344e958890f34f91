package org.reprise.trace.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.Rank;
import org.reprise.trace.Samples;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;

class RecordedRunTest {
  private static final OptionalInt NO_TAG = OptionalInt.empty();

  @TempDir Path directory;
  private RunDirectory run = new RunDirectory(Path.of("unset"));

  @BeforeEach
  void describe() {
    run = new RunDirectory(directory);
    run.describe(RunJsonTest.ended(List.of()));
  }

  private void rank(int rank, Outcome... outcomes) {
    Samples.write(
        run.orderFile(new Rank(rank)),
        Samples.header(new Rank(rank))
            .withCallCount(0, 10)
            .with(HeaderField.RECEIVES, 3)
            .with(HeaderField.POLLS_FAILED_TOTAL, 4),
        List.of(outcomes));
  }

  @Test
  void aRunWithoutRanksSaysHowItEnded() {
    assertThatThrownBy(() -> RecordedRun.open(run))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("has zero ranks")
        .hasMessageContaining("was killed by signal 11");
  }

  @Test
  void aCallWithoutANameIsDamage() {
    rank(0);
    int beyond = RunJsonTest.ended().callNames().size();
    assertThat(RecordedRun.open(run).callName(new Rank(0), beyond - 1)).isEqualTo("Recv");
    assertThatThrownBy(() -> RecordedRun.open(run).callName(new Rank(0), beyond))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("field \"callNames\" has 2 names, but rank 0 made call number 2");
    Samples.write(
        run.orderFile(new Rank(1)), Samples.header(new Rank(1)).withCallCount(7, 1), List.of());
    assertThatThrownBy(() -> RecordedRun.open(run))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("field \"callNames\" has 2 names, but rank 1 made call number 7");
  }

  @Test
  void aRecordingThatDiedWithoutATraceSaysSo() {
    run.describe(RunJsonTest.description());
    assertThatThrownBy(() -> RecordedRun.open(run))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("never finished");
  }

  @Test
  void aRecordingThatDiedIsStillARun() {
    run.describe(RunJsonTest.description());
    rank(0, new Outcome.Recv(1, NO_TAG));
    assertThat(RecordedRun.open(run).ranks()).isEqualTo(Samples.RANKS);
  }

  @Test
  void aRankThatWasKilledWithItsRecorderBeforeItHadAHeaderIsLeftOut() throws Exception {
    run.describe(RunJsonTest.description());
    rank(0, new Outcome.Recv(1, NO_TAG));
    for (byte[] file : List.of(new byte[0], new byte[100])) {
      Files.write(run.orderFile(new Rank(1)), file);
      assertThat(RecordedRun.open(run).ranksPresent()).containsExactly(new Rank(0));
    }
    run.describe(RunJsonTest.ended(List.of()));
    assertThatThrownBy(() -> RecordedRun.open(run)).isInstanceOf(TraceError.class);
  }

  @Test
  void aRankThatWasKilledBeforeItsInputsHadAHeaderHasNone() throws Exception {
    rank(0, new Outcome.Recv(1, NO_TAG));
    Files.write(run.inputsFile(new Rank(0)), new byte[100]);
    assertThatThrownBy(() -> run.openInputs(new Rank(0))).isInstanceOf(TraceError.class);
    Files.delete(run.orderFile(new Rank(0)));
    running(0);
    running(1);
    assertThat(run.openInputs(new Rank(0))).isEmpty();
    RecordedRun.open(run).verify();
  }

  private void running(int rank) {
    Samples.write(
        run.orderFile(new Rank(rank)),
        Samples.header(new Rank(rank)).with(HeaderField.STATE, Wire.State.RUNNING.ordinal()),
        List.of(new Outcome.Recv(1, NO_TAG)));
  }

  @Test
  void filesThatTheRunHadWhenItEndedAreMissed() throws Exception {
    run.describe(RunJsonTest.ended());
    for (int present = -1; present < 1; present++) {
      if (present >= 0) {
        running(present);
      }
      assertThatThrownBy(() -> RecordedRun.open(run))
          .isInstanceOf(TraceError.class)
          .hasMessageContaining("are missing")
          .hasMessageContaining("no rank-%d.order".formatted(present + 1));
    }
    running(1);
    RecordedRun.open(run).verify();
    Files.createFile(run.inputsFile(new Rank(0)));
    assertThat(RecordedRun.open(run).withoutInputs()).containsExactly(new Rank(1));
  }

  @Test
  void aRankThatOutlivedItsRecorderStillRecords() throws Exception {
    run.describe(RunJsonTest.description());
    Process rank = new ProcessBuilder("sleep", "100").start();
    try {
      RankHeader header =
          Samples.header(new Rank(0))
              .with(HeaderField.STATE, Wire.State.RUNNING.ordinal())
              .with(HeaderField.PID, rank.pid())
              .with(HeaderField.START_NANOS, System.currentTimeMillis() * 1_000_000)
              .withHost(LiveRecorder.hostName());
      Samples.write(run.orderFile(new Rank(0)), header, List.of());
      assertThatThrownBy(() -> RecordedRun.open(run))
          .hasMessageContaining("is still being recorded")
          .hasMessageContaining("process " + rank.pid());
    } finally {
      rank.destroyForcibly().waitFor();
    }
    assertThat(RecordedRun.open(run).ranksPresent()).hasSize(1);
  }

  @Test
  void aRankMayBeMissing() {
    rank(0);
    rank(4);
    RecordedRun opened = RecordedRun.open(run);
    assertThat(opened.ranksPresent()).containsExactly(new Rank(0), new Rank(4));
    assertThat(opened.ranks()).isEqualTo(5);
  }

  @Test
  void ranksOfTwoJobsAreNotOneRun() {
    rank(0);
    Samples.write(
        run.orderFile(new Rank(1)),
        Samples.header(new Rank(1)).with(HeaderField.RANKS, 2),
        List.of());
    assertThatThrownBy(() -> RecordedRun.open(run))
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("a job of 2 ranks beside one of 5");
  }

  @Test
  void aSourceOutsideTheJobIsDamage() {
    rank(0, new Outcome.Recv(4, NO_TAG), new Outcome.Found(5, NO_TAG));
    assertThatThrownBy(() -> RecordedRun.open(run).verify())
        .isInstanceOf(TraceError.class)
        .hasMessageContaining("is damaged at byte 8193")
        .hasMessageContaining("source 5 in a job of 5 ranks");
  }

  @Test
  void aSummaryCounts() {
    rank(
        0,
        new Outcome.Recv(1, NO_TAG),
        new Outcome.Recv(2, OptionalInt.of(1)),
        new Outcome.Post(0, 1, NO_TAG),
        new Outcome.FailedPolls(4),
        new Outcome.Hit(Wire.Poll.TEST));
    rank(1);
    RunSummary summary = RunSummary.of(RecordedRun.open(run));
    assertThat(summary.ranks()).hasSize(2);
    assertThat(summary.ranks().getFirst().outcomes())
        .containsEntry(Wire.Kind.RECV, 1L)
        .containsEntry(Wire.Kind.RECV_TAG, 1L)
        .containsEntry(Wire.Kind.POLLS, 1L);
    assertThat(summary.wildcardReceives()).isEqualTo(3);
    assertThat(summary.outcomes()).isEqualTo(5);
    assertThat(summary.calls()).isEqualTo(20);
    assertThat(summary.receives()).isEqualTo(6);
    assertThat(summary.failedPolls()).isEqualTo(8);
    assertThat(summary.bytes()).isEqualTo(1 + 2 + 2 + 1 + 1);
  }

  @Test
  void outcomesPrintOneALine() throws Exception {
    rank(
        0,
        new Outcome.Recv(1, NO_TAG),
        new Outcome.Recv(2, OptionalInt.of(5)),
        new Outcome.Probe(3, NO_TAG),
        new Outcome.Post(7, 1, OptionalInt.of(2)),
        new Outcome.PostEnd(8, Wire.PostEnd.CANCELLED),
        new Outcome.FailedPolls(12),
        new Outcome.Hit(Wire.Poll.GET_STATUS),
        new Outcome.Found(2, OptionalInt.of(9)),
        new Outcome.Index(OptionalInt.of(3)),
        new Outcome.Index(OptionalInt.empty()),
        new Outcome.Indices(true, List.of(2, 0)),
        new Outcome.Indices(true, List.of()),
        new Outcome.Indices(false, List.of()),
        new Outcome.Errors(15, List.of(0, 15)),
        new Outcome.Errors(15, List.of()),
        new Outcome.Check(0xabc),
        new Outcome.ThreadSwitch(1),
        new Outcome.Turn(20, 1));
    StringBuilder text = new StringBuilder();
    OrderPrinter.print(run, new Rank(0), text);
    assertThat(text.toString())
        .isEqualTo(
            """
            0 0 recv source=1
            0 1 recv source=2 tag=5
            0 2 probe source=3
            0 3 post post=7 source=1 tag=2
            0 4 post-end post=8 cancelled
            0 5 failed-polls count=12
            0 6 hit get-status
            0 7 found source=2 tag=9
            0 8 index 3
            0 9 index undefined
            0 10 indices 2,0
            0 11 indices none
            0 12 indices undefined
            0 13 error code=15 statuses=0,15
            0 14 error code=15
            0 15 check hash=00000abc
            0 16 thread thread=1
            0 17 turn calls=20 thread=1
            """);
  }
}
