package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A deadlock is recognised while the program is recorded, and nothing else is called one. */
class DeadlockTest {
  private static final int RANKS = 3;
  private static final int DEADLOCKED = 68;

  @RegisterExtension private final Workbench bench = new Workbench();

  /** Drawn by a seed, which is printed; {@code -Dreprise.deadlocks=11} takes all. */
  private static final int DRAWN = Integer.getInteger("reprise.deadlocks", 4);

  static Stream<Arguments> deadlocks() {
    long seed = Long.getLong("reprise.seed", System.nanoTime() % 100_000);
    System.out.println("DeadlockTest: deadlocks drawn with -Dreprise.seed=" + seed);
    List<Arguments> all = new ArrayList<>(all());
    Collections.shuffle(all, new Random(seed));
    return all.stream()
        .limit(DRAWN)
        .flatMap(
            one ->
                DrawnMpi.Draw.of(one.get()[0].toString()).stream()
                    .map(mpi -> Arguments.of(mpi, one.get()[0], one.get()[1])));
  }

  private static List<Arguments> all() {
    return List.of(
        Arguments.of("receive_cycle", "waiting for a message of source 2, tag 1"),
        Arguments.of("wrong_tag", "waiting for a message of source 2, tag 1"),
        Arguments.of("ssend_cycle", "waiting for rank 1 to receive, tag 1"),
        Arguments.of("send_cycle", "waiting for rank 1 to receive, tag 1"),
        Arguments.of("nobody_left", "waiting for a message of any source, tag 1"),
        Arguments.of("taken_before", "waiting for a message of source 1, tag 1"),
        Arguments.of("waitany", "in MPI_Waitany"),
        Arguments.of("waitall", "in MPI_Waitall"),
        Arguments.of("mismatched_collectives", "in MPI_Allreduce"),
        Arguments.of("barrier_and_receive", "in MPI_Barrier"),
        Arguments.of("finished_early", "rank 2 has called MPI_Finalize"));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("deadlocks")
  void ranksThatCanNeverGoOnAreNamedAndEnded(Mpi mpi, String name, String reason) {
    Ran ran = bench.record(job(mpi, name), "--on-deadlock", "stop");
    assertThat(ran.status()).as("%s", ran).isEqualTo(DEADLOCKED);
    assertThat(ran.said()).as("%s", ran).contains("deadlock: rank", reason, "deadlocks.c:");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void aCircleIsShown(Mpi mpi) {
    Ran ran = bench.record(job(mpi, "ssend_cycle"), "--on-deadlock", "stop");
    assertThat(ran.said())
        .as("%s", ran)
        .contains("deadlock: ranks 0, 1, 2 cannot go on")
        .contains("in a circle: rank 0 -> rank 1 -> rank 2 -> rank 0");
  }

  @ParameterizedTest(name = "{0}")
  @DrawnMpi
  void whoeverComputesSleepsOrPollsIsNotDeadlocked(Mpi mpi) {
    for (String name : List.of("long_computation", "sleeping_rank", "polling_rank")) {
      Ran ran = bench.record(job(mpi, name), "--on-deadlock", "stop");
      assertThat(ran.status()).as("%s", ran).isZero();
      assertThat(ran.said()).as("%s", ran).doesNotContain("deadlock:");
      assertThat(bench.replay().saysSameOrder()).as("%s", name).isTrue();
    }
  }

  private List<String> job(Mpi mpi, String name) {
    return mpi.job(RANKS, bench.compiled(mpi, "deadlocks"), name);
  }
}
