package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.launch.run.Replay;
import org.reprise.launch.verdict.JudgeTest;
import org.reprise.launch.verdict.Verdict;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.Rank;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventCursor;
import org.reprise.trace.events.EventKind;
import org.reprise.trace.events.EventWriter;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.OrderWriter;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/** Which events of a replay are kept with a run, and that no others are taken for its own. */
class EventLearnerTest {
  private static final int RANKS = 2;
  private static final Verdict SAME =
      new Verdict.SameOrder(RANKS, 0, List.of(), false, List.of(), List.of(), List.of());
  private static final Verdict STUCK = new Verdict.Stuck(30, List.of(), List.of());

  @TempDir Path directory;
  private RunDirectory run = new RunDirectory(Path.of("unset"));

  private static List<Verdict> badEnds() {
    return List.of(
        STUCK,
        new Verdict.EndedEarly(List.of(), List.of()),
        new Verdict.Interrupted(List.of(), List.of()),
        new Verdict.Diverged(
            new Verdict.Departure(
                new Rank(0), Optional.empty(), Optional.empty(), 0, "this", "that"),
            List.of(),
            List.of()));
  }

  @BeforeEach
  void record() throws IOException {
    run = recorded("race-1");
  }

  private RunDirectory recorded(String name) throws IOException {
    RunDirectory made = new RunDirectory(Files.createDirectory(directory.resolve(name)));
    made.describe(JudgeTest.description(MpiFamily.OPEN_MPI, List.of("./race"), directory));
    for (int rank = 0; rank < RANKS; rank++) {
      RankHeader header =
          header(Wire.FileKind.ORDER, rank).with(HeaderField.START_NANOS, System.nanoTime());
      new OrderWriter(made.orderFile(new Rank(rank)), header).close();
    }
    return made;
  }

  private static RankHeader header(Wire.FileKind kind, int rank) {
    return RankHeader.create(kind, Wire.Mode.RECORD, new Rank(rank), RANKS)
        .with(HeaderField.STATE, Wire.State.FINALIZED.ordinal());
  }

  /** A replay in which each rank left so many events. */
  private RunDirectory replayed(int events) throws IOException {
    RunDirectory scratch = new RunDirectory(Files.createTempDirectory(directory, "replay-"));
    for (int rank = 0; rank < RANKS; rank++) {
      events(scratch, header(Wire.FileKind.EVENTS, rank), events);
    }
    return scratch;
  }

  private static void events(RunDirectory scratch, RankHeader header, int events) {
    try (EventWriter writer = new EventWriter(scratch.eventsFile(header.rank()), header)) {
      for (int i = 0; i < events; i++) {
        writer.write(
            new Event(
                i,
                EventKind.LOCAL,
                Set.of(),
                0,
                0,
                -1,
                -1,
                CollectiveFlow.NONE,
                -1,
                EventCursor.NO_EVENT,
                0,
                i,
                0,
                0,
                List.of()));
      }
    }
  }

  private void keep(RunDirectory scratch, Verdict verdict) {
    EventLearner.keep(scratch, open(), new Replay(verdict, 0, List.of(), Optional.of("00ff")));
  }

  private RecordedRun open() {
    return RecordedRun.open(run);
  }

  private List<Long> records() {
    return EventsManifest.of(open()).orElseThrow().ranks().stream()
        .map(EventsManifest.RankEvents::records)
        .toList();
  }

  @Test
  void eventsOfAReplayInTheSameOrderAreKnownFromThenOn() throws IOException {
    assertThat(EventLearner.knows(open())).isFalse();
    keep(replayed(3), SAME);
    assertThat(EventLearner.knows(open())).isTrue();
    assertThat(EventsManifest.of(open()).orElseThrow().program()).contains("00ff");
  }

  @ParameterizedTest
  @MethodSource("badEnds")
  void thoseOfAReplayThatDidNotComeToTheEndAreKeptAndLearnedAgain(Verdict verdict)
      throws IOException {
    keep(replayed(1), verdict);
    assertThat(EventLearner.knows(open())).isFalse();
    assertThat(records()).containsExactly(1L, 1L);
    keep(replayed(3), SAME);
    assertThat(EventLearner.knows(open())).isTrue();
    keep(replayed(1), verdict);
    assertThat(EventLearner.knows(open())).as("what was whole stays").isTrue();
    assertThat(records()).containsExactly(3L, 3L);
  }

  /** A kill between the files and what is said of them, or an older Reprise. */
  @Test
  void filesThatNobodySaysAnythingOfAreNotKnown() throws IOException {
    keep(replayed(3), SAME);
    Files.delete(run.eventsManifestFile());
    assertThat(EventLearner.knows(open())).isFalse();
    Files.writeString(run.eventsManifestFile(), "{\"format\": 1, \"record");
    assertThat(EventLearner.knows(open())).isFalse();
  }

  @Test
  void filesOfOtherEventsAreNotKnown() throws IOException {
    keep(replayed(3), SAME);
    Files.copy(
        replayed(2).eventsFile(new Rank(1)),
        run.eventsFile(new Rank(1)),
        StandardCopyOption.REPLACE_EXISTING);
    assertThat(EventLearner.knows(open())).isFalse();
  }

  @Test
  void eventsOfAnotherRecordingAreNotKnown() throws IOException {
    keep(replayed(3), SAME);
    RunDirectory other = recorded("race-2");
    Files.copy(run.eventsManifestFile(), other.eventsManifestFile());
    for (int rank = 0; rank < RANKS; rank++) {
      Files.copy(run.eventsFile(new Rank(rank)), other.eventsFile(new Rank(rank)));
    }
    assertThat(EventLearner.knows(RecordedRun.open(other))).isFalse();
  }

  /** A rank that was killed on its way out, a full disk, no file at all. */
  @Test
  void aRankWhoseEventsAreCutShortIsLearnedAgain() throws IOException {
    RunDirectory scratch = replayed(3);
    RankHeader one = header(Wire.FileKind.EVENTS, 1);
    Files.delete(scratch.eventsFile(new Rank(1)));
    keep(scratch, SAME);
    assertThat(EventLearner.knows(open())).as("no file").isFalse();
    for (RankHeader cut :
        List.of(
            one.with(HeaderField.STATE, Wire.State.RUNNING.ordinal()),
            one.with(HeaderField.FLAGS, 1L << Wire.Flag.DISK_FULL.ordinal()))) {
      scratch = replayed(3);
      Files.delete(scratch.eventsFile(new Rank(1)));
      events(scratch, cut, 2);
      keep(scratch, SAME);
      assertThat(EventLearner.knows(open())).as("%s", cut.state()).isFalse();
      assertThat(EventsManifest.of(open()).orElseThrow().ranks(EventsManifest.End.CUT_SHORT))
          .containsExactly(new Rank(1));
    }
  }

  /**
   * The others wait for it in MPI_Finalize until the launcher ends them, in the replay as before.
   */
  @Test
  void whereARankCrashesTheEventsOfThoseThatWaitedForItAreWhole() throws IOException {
    Path file = run.orderFile(new Rank(0));
    Files.delete(file);
    new OrderWriter(
            file,
            header(Wire.FileKind.ORDER, 0).with(HeaderField.STATE, Wire.State.RUNNING.ordinal()))
        .close();
    RunDirectory scratch = replayed(0);
    for (int rank = 0; rank < RANKS; rank++) {
      Files.delete(scratch.eventsFile(new Rank(rank)));
      events(
          scratch,
          header(Wire.FileKind.EVENTS, rank).with(HeaderField.STATE, Wire.State.RUNNING.ordinal()),
          2);
    }
    keep(scratch, SAME);
    assertThat(EventLearner.knows(open())).isTrue();
    assertThat(EventsManifest.of(open()).orElseThrow().ranks(EventsManifest.End.WHOLE))
        .hasSize(RANKS);
  }
}
