package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.ranks.Programs.complete;
import static org.reprise.ranks.Programs.ints;
import static org.reprise.ranks.Programs.mpi;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.reprise.ranks.engine.Deadlock;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Operation;

/** Collective operations that are started and completed later. */
class NonBlockingCollectivesTest {
  private static Operation ibarrier() {
    return mpi().startCollective(mpi().world(), CollectiveCall.barrier());
  }

  @Test
  void everyOutcomeOfItsPollsIsEnumerated() {
    Map<Integer, String> polls = new TreeMap<>();
    TreeSet<String> seen = new TreeSet<>();
    Enumeration.explore(
        Enumeration.Request.of(2),
        () ->
            rank -> {
              Operation barrier = ibarrier();
              String own = "";
              while (complete(CompletionMode.TEST, barrier) == null) {
                own += "fails ";
              }
              polls.put(rank, own);
            },
        _ -> seen.add(polls.get(0) + "| " + polls.get(1)));
    assertThat(seen).containsExactlyInAnyOrder("fails | fails ", "fails | ", "| fails ", "| ");
  }

  @Test
  void severalOfOneCommunicatorMatchInTheirOrderAndMayBeCompletedInAnother() {
    for (Schedule schedule : new Schedule[] {new Schedule.Free(), new Schedule.Seeded(3)}) {
      int[][] sums = new int[3][2];
      JobResult result =
          EmbeddedJob.run(
              JobRequest.of(3, schedule),
              rank -> {
                int[] one = {rank};
                int[] two = {10 * rank};
                Operation first =
                    mpi()
                        .startCollective(
                            mpi().world(),
                            CollectiveCall.allreduce(ints(one), ints(one), Programs.SUM));
                Operation second =
                    mpi()
                        .startCollective(
                            mpi().world(),
                            CollectiveCall.allreduce(ints(two), ints(two), Programs.SUM));
                complete(CompletionMode.WAIT, second);
                complete(CompletionMode.WAIT_ALL, first, ibarrier());
                sums[rank] = new int[] {one[0], two[0]};
              });
      assertThat(result.succeeded()).as("%s", result).isTrue();
      assertThat(sums).isEqualTo(new int[][] {{3, 30}, {3, 30}, {3, 30}});
    }
  }

  @Test
  void oneDoesNotMatchACallThatWaits() {
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(2, new Schedule.Seeded(1)),
            rank -> {
              if (rank == 0) {
                ibarrier();
              } else {
                Programs.barrier();
              }
            });
    assertThat(result.firstFailure().orElseThrow().failure())
        .hasMessageContaining("collective calls differ")
        .hasMessageContaining("MPI_Ibarrier")
        .hasMessageContaining("MPI_Barrier");
  }

  @Test
  void aDeadlockSaysWhoDidNotCall() {
    for (Schedule schedule : new Schedule[] {new Schedule.Free(), new Schedule.Seeded(1)}) {
      JobResult result =
          EmbeddedJob.run(
              JobRequest.of(3, schedule),
              rank -> {
                if (rank != 1) {
                  complete(CompletionMode.WAIT, ibarrier());
                }
              });
      Deadlock deadlock = result.deadlock().orElseThrow();
      assertThat(deadlock.waits()).hasSize(2);
      assertThat(deadlock.waits())
          .allMatch(wait -> wait.what().equals("rank 1 to call MPI_Ibarrier"));
    }
  }
}
