package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/** A replay of something else than what was recorded says so. */
class DivergenceTest {
  private static final int RANKS = 3;
  private static final int DIVERGED = 67;

  @RegisterExtension private final Workbench bench = new Workbench();

  private List<String> orderSum(Mpi mpi, int ranks, int numbers) {
    return mpi.job(ranks, bench.example(mpi, "order_sum"), numbers);
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void moreAndFewerMessagesAreMetWhereTheyBegin(Mpi mpi) {
    bench.record(orderSum(mpi, RANKS, 20));
    Ran more = bench.replayWith(orderSum(mpi, RANKS, 22), "--stall-limit", "10");
    assertThat(more.status()).as("%s", more).isEqualTo(DIVERGED);
    assertThat(more.said())
        .contains("another command than the recorded one")
        .contains("diverged: rank 0 left the recorded order at outcome 40, in MPI_Recv")
        .contains("recorded: MPI_Finalize; nothing is left to replay");
    Ran fewer = bench.replayWith(orderSum(mpi, RANKS, 18), "--stall-limit", "3");
    assertThat(fewer.status()).as("%s", fewer).isEqualTo(DIVERGED);
    assertThat(fewer.said()).containsAnyOf("diverged: rank 0", "stuck: ", "ended early: ");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void messagesOfAnotherSizeAreFoundThoughTheCallsAreTheSame(Mpi mpi) {
    Path program = bench.example(mpi, "receive_benchmark");
    bench.record(mpi.job(RANKS, program, 20, 4));
    Ran replay = bench.replayWith(mpi.job(RANKS, program, 20, 8));
    assertThat(replay.status()).as("%s", replay).isEqualTo(DIVERGED);
    assertThat(replay.said()).contains("diverged: rank ", "order hash");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void anotherNumberOfRanksIsTold(Mpi mpi) {
    bench.record(orderSum(mpi, RANKS, 20));
    for (int ranks : new int[] {RANKS - 1, RANKS + 1}) {
      Ran replay = bench.replayWith(orderSum(mpi, ranks, 20), "--stall-limit", "10");
      assertThat(replay.status()).as("%s", replay).isEqualTo(DIVERGED);
      assertThat(replay.said())
          .as("%s", replay)
          .contains("a job of " + RANKS + " ranks", "a job of " + ranks + " ranks")
          .contains(
              "recorded with " + RANKS + " ranks, replayed with " + ranks + ": nothing is forced");
    }
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void anotherMpiIsTold(Mpi mpi) {
    Mpi other = mpi == Mpi.MPICH ? Mpi.OPEN_MPI : Mpi.MPICH;
    bench.record(orderSum(mpi, RANKS, 20));
    Ran replay = bench.replayWith(orderSum(other, RANKS, 20), "--stall-limit", "10");
    assertThat(replay.said())
        .as("%s", replay)
        .matches("(?s).*recorded with " + mpi + " .*, replayed with " + other + " .*");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void aChangedProgramIsToldAndReplayedAllTheSame(Mpi mpi) throws IOException {
    Path program = bench.directory().resolve("program");
    Files.copy(bench.example(mpi, "order_sum"), program, StandardCopyOption.COPY_ATTRIBUTES);
    Ran recording = bench.record(mpi.job(RANKS, program, 20));
    Files.writeString(program, "\n", StandardOpenOption.APPEND);
    Ran replay = bench.replay();
    assertThat(replay.said())
        .contains("the program has changed since it was recorded: " + program)
        .contains("same order: all 3 ranks");
    assertThat(replay.out()).isEqualTo(recording.out());
  }

  /** In the replay the senders make do with fewer numbers than rank 0 waits for. */
  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void aReplayThatWaitsForAMessageThatNeverComesIsEnded(Mpi mpi) {
    bench.record(unequal(mpi, 20, 20));
    Ran replay = bench.replayWith(unequal(mpi, 20, 10), "--stall-limit", "3");
    assertThat(replay.status()).as("%s", replay).isEqualTo(DIVERGED);
    assertThat(replay.said())
        .as("%s", replay)
        .contains("stuck: no rank made progress for 3 s")
        .contains("rank 0 was in MPI_Recv")
        .contains("waiting for a message of source ");
    assertThat(bench.latest().directory().path()).isDirectoryNotContaining("glob:**/replay-*");
  }

  private List<String> unequal(Mpi mpi, int received, int sent) {
    String program = bench.example(mpi, "order_sum").toString();
    List<String> words = new ArrayList<>(mpi.job(1, program, received));
    words.addAll(List.of(":", "-n", Integer.toString(RANKS - 1), program, Integer.toString(sent)));
    return words;
  }
}
