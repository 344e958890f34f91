package org.reprise.trace.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.trace.Rank;
import org.reprise.trace.Samples;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.order.NumberedOutcome;
import org.reprise.trace.order.Outcome;

class RunDiffTest {
  private static final Rank ZERO = new Rank(0);

  @TempDir Path directory;
  private int runs;

  private RecordedRun run(Outcome... outcomes) throws Exception {
    return run(ZERO, outcomes);
  }

  private RecordedRun run(Rank rank, Outcome... outcomes) throws Exception {
    return run(rank, Samples.header(rank), outcomes);
  }

  private RecordedRun run(Rank rank, RankHeader header, Outcome... outcomes) throws Exception {
    RunDirectory run = new RunDirectory(Files.createDirectory(directory.resolve("run" + runs++)));
    run.describe(RunJsonTest.ended(List.of()));
    Samples.write(run.orderFile(rank), header, List.of(outcomes));
    return RecordedRun.open(run);
  }

  private static Outcome recv(int source) {
    return new Outcome.Recv(source, OptionalInt.empty());
  }

  private static Outcome post(long post, int source) {
    return new Outcome.Post(post, source, OptionalInt.empty());
  }

  private static RunDiff.RankDiff diff(RecordedRun left, RecordedRun right) {
    RunDiff diff = RunDiff.between(left, right, true);
    assertThat(diff.ranks()).hasSize(1);
    return diff.ranks().getFirst();
  }

  @Test
  void aRunEqualsItself() throws Exception {
    RecordedRun run = run(recv(1), post(0, 2), recv(2));
    assertThat(RunDiff.between(run, run, false).isSame()).isTrue();
    assertThat(diff(run, run)).isEqualTo(new RunDiff.Same(ZERO, 3));
  }

  @Test
  void theFirstOtherSourceIsTheDifference() throws Exception {
    assertThat(diff(run(recv(1), recv(2), recv(3)), run(recv(1), recv(3), recv(2))))
        .isEqualTo(
            new RunDiff.DiffersAt(
                ZERO,
                Optional.of(new NumberedOutcome(1, 8193, recv(2))),
                Optional.of(new NumberedOutcome(1, 8193, recv(3)))));
  }

  @Test
  void aRunThatGoesOnDiffersFromOneThatEnds() throws Exception {
    assertThat(diff(run(recv(1)), run(recv(1), recv(2))))
        .isEqualTo(
            new RunDiff.DiffersAt(
                ZERO, Optional.empty(), Optional.of(new NumberedOutcome(1, 8193, recv(2)))));
  }

  @Test
  void whenAPostIsWrittenDownDoesNotMatter() throws Exception {
    assertThat(diff(run(post(0, 1), recv(3), post(1, 2)), run(post(1, 2), post(0, 1), recv(3))))
        .isInstanceOf(RunDiff.Same.class);
  }

  @Test
  void aPostWithAnotherSourceIsADifference() throws Exception {
    assertThat(diff(run(post(0, 1), recv(3)), run(recv(3), post(0, 2))))
        .isEqualTo(
            new RunDiff.DiffersAt(
                ZERO,
                Optional.of(new NumberedOutcome(0, 8192, post(0, 1))),
                Optional.of(new NumberedOutcome(1, 8193, post(0, 2)))));
  }

  @Test
  void aPostThatOnlyOneRunHasIsADifference() throws Exception {
    assertThat(diff(run(recv(1), post(4, 1)), run(recv(1))))
        .isEqualTo(
            new RunDiff.DiffersAt(
                ZERO, Optional.of(new NumberedOutcome(1, 8193, post(4, 1))), Optional.empty()));
  }

  @Test
  void failedPollsCountOnlyIfAskedFor() throws Exception {
    RecordedRun left = run(new Outcome.FailedPolls(3), recv(1));
    RecordedRun right = run(recv(1));
    assertThat(RunDiff.between(left, right, true).isSame()).isTrue();
    assertThat(RunDiff.between(left, right, false).isSame()).isFalse();
  }

  @Test
  void failedPollsAfterTheLastOutcomeCountIfAskedFor() throws Exception {
    RecordedRun left = run(recv(1));
    RankHeader polled = Samples.header(ZERO).with(HeaderField.FAILED_POLLS, 3);
    RecordedRun right = run(ZERO, polled, recv(1));
    assertThat(RunDiff.between(right, right, false).isSame()).isTrue();
    assertThat(RunDiff.between(left, right, true).isSame()).isTrue();
    assertThat(RunDiff.between(left, right, false).isSame()).isFalse();
  }

  @Test
  void aRankThatOnlyOneRunHasIsNamed() throws Exception {
    List<RunDiff.RankDiff> expected = new ArrayList<>();
    expected.add(new RunDiff.OnlyIn(ZERO, RunDiff.Side.LEFT));
    expected.add(new RunDiff.OnlyIn(new Rank(1), RunDiff.Side.RIGHT));
    assertThat(RunDiff.between(run(recv(1)), run(new Rank(1), recv(2)), true).ranks())
        .isEqualTo(expected);
  }

  private RecordedRun distilled(Outcome... outcomes) throws Exception {
    RunDirectory run = run(outcomes).directory();
    RunDescription of = run.description();
    run.describe(
        new RunDescription(
            of.repriseVersion(),
            of.wireVersion(),
            of.name() + "-distilled",
            of.command(),
            of.directory(),
            of.program(),
            of.mpi(),
            of.ranks(),
            of.hosts(),
            of.environment(),
            of.inputs(),
            of.jitterSeed(),
            of.stdinKept(),
            of.stdinBytes(),
            of.callNames(),
            of.started(),
            of.ended(),
            of.ending(),
            of.rankEnds(),
            of.recorder(),
            Optional.of(of.name()),
            Optional.empty(),
            Optional.empty(),
            false));
    return RecordedRun.open(run);
  }

  @Test
  void aDistilledRunIsComparedWhereItForces() throws Exception {
    Outcome check = new Outcome.Check(7);
    RecordedRun all =
        run(recv(1), recv(1), check, recv(1), recv(2), recv(3), post(0, 1), post(1, 2), recv(3));
    RecordedRun same =
        distilled(recv(1), check, new Outcome.Again(2), new Outcome.Free(2), post(1, 2), recv(3));
    assertThat(diff(all, same)).isEqualTo(new RunDiff.Same(ZERO, 7));
    assertThat(diff(same, all)).isEqualTo(new RunDiff.Same(ZERO, 7));
    assertThat(diff(all, distilled(recv(1), new Outcome.Again(3), new Outcome.Free(2))))
        .isEqualTo(
            new RunDiff.DiffersAt(
                ZERO,
                Optional.of(new NumberedOutcome(4, 8197, recv(2))),
                Optional.of(new NumberedOutcome(1, 8193, recv(1)))));
    assertThat(diff(all, distilled(new Outcome.Free(6), post(1, 3))))
        .isInstanceOf(RunDiff.DiffersAt.class);
    assertThat(diff(all, distilled(new Outcome.Free(6), post(2, 3))))
        .as("a post that only the distilled run has")
        .isInstanceOf(RunDiff.DiffersAt.class);
    assertThat(diff(all, run(recv(1), new Outcome.Again(2), new Outcome.Free(3), post(1, 2))))
        .as("not said to be distilled")
        .isInstanceOf(RunDiff.DiffersAt.class);
  }
}
