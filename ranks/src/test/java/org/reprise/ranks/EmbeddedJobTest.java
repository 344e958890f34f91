package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.reprise.ranks.Programs.SUM;
import static org.reprise.ranks.Programs.complete;
import static org.reprise.ranks.Programs.ints;
import static org.reprise.ranks.Programs.irecv;
import static org.reprise.ranks.Programs.mpi;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;
import static org.reprise.ranks.Programs.ssend;
import static org.reprise.ranks.Programs.value;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reprise.ranks.engine.Deadlock;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.FabricError;
import org.reprise.ranks.fabric.MpiCall;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.fabric.SendMode;
import org.reprise.trace.UserError;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RunDirectory;
import programs.Stuck;

/** What MPI promises holds under every schedule. */
class EmbeddedJobTest {
  static Stream<Schedule> schedules() {
    return Stream.of(new Schedule.Free(), new Schedule.Seeded(7), new Schedule.Chosen(List.of()));
  }

  private static void succeeds(JobResult result) {
    assertThat(result.firstFailure().map(end -> end.failure())).isEmpty();
    assertThat(result.deadlock()).isEmpty();
    assertThat(result.succeeded()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void aRingPassesItsToken(Schedule schedule) {
    int ranks = 50;
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    succeeds(
        EmbeddedJob.run(
            JobRequest.of(ranks, schedule),
            rank -> {
              if (rank == 0) {
                send(1, 3, 17);
                seen.add(value(recv(ranks - 1, 3)));
              } else {
                send((rank + 1) % ranks, 3, value(recv(rank - 1, 3)) + 1);
              }
              mpi().finish();
            }));
    assertThat(seen).containsExactly(17 + ranks - 1);
  }

  @Test
  void whereThereIsNoRoomForAFileTheProgramDoesNotStart(@TempDir Path directory)
      throws IOException {
    Files.createFile(directory.resolve("rank-1.order"));
    Set<Integer> started = ConcurrentHashMap.newKeySet();
    EmbeddedJob job =
        EmbeddedJob.of(JobRequest.of(2, new Schedule.Free()).tracedIn(directory), started::add);
    assertThatThrownBy(job::open)
        .isInstanceOf(UserError.class)
        .hasMessageContaining("cannot write the file of a rank");
    assertThat(started).isEmpty();
  }

  @Test
  void whereThereIsNoRoomForInputsTheProgramGetsThemAllTheSame(@TempDir Path directory)
      throws IOException {
    Files.createDirectory(directory.resolve("rank-0.inputs"));
    List<Long> read = Collections.synchronizedList(new ArrayList<>());
    succeeds(
        EmbeddedJob.run(
            JobRequest.of(1, new Schedule.Free()).tracedIn(directory),
            _ -> {
              read.add(CurrentRank.inputs().nanoTime());
              CurrentRank.inputs().randomBytes(new byte[3]);
              mpi().finish();
            }));
    assertThat(read).hasSize(1);
    assertThat(
            new RunDirectory(directory)
                .header(new org.reprise.trace.Rank(0))
                .has(Wire.Flag.DISK_FULL))
        .isTrue();
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void messagesOfOneSenderDoNotOvertake(Schedule schedule) {
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    succeeds(
        EmbeddedJob.run(
            JobRequest.of(2, schedule),
            rank -> {
              if (rank == 1) {
                for (int i = 0; i < 100; i++) {
                  send(0, i % 3, i);
                }
              } else {
                for (int i = 0; i < 100; i++) {
                  seen.add(value(i % 2 == 0 ? recv() : recv(1, Fabric.ANY_TAG)));
                }
              }
            }));
    assertThat(seen).isSorted().hasSize(100);
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void receivesTakeMessagesInTheOrderOfPosting(Schedule schedule) {
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    succeeds(
        EmbeddedJob.run(
            JobRequest.of(2, schedule),
            rank -> {
              if (rank == 1) {
                send(0, 5, 1);
                send(0, 5, 2);
                send(0, 6, 3);
              } else {
                Operation first = irecv(Fabric.ANY_SOURCE, 5);
                Operation second = irecv(1, Fabric.ANY_TAG);
                Operation third = irecv(Fabric.ANY_SOURCE, Fabric.ANY_TAG);
                complete(CompletionMode.WAIT, third);
                complete(CompletionMode.WAIT_ALL, second, first);
                seen.add(value(first.received()));
                seen.add(value(second.received()));
                seen.add(value(third.received()));
              }
            }));
    assertThat(seen).containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void collectivesGiveEveryRankItsShare(Schedule schedule) {
    int ranks = 5;
    succeeds(
        EmbeddedJob.run(
            JobRequest.of(ranks, schedule),
            rank -> {
              int[] sum = new int[1];
              mpi().collective(mpi().world(), CollectiveCall.allreduce(ints(rank), ints(sum), SUM));
              assertThat(sum[0]).isEqualTo(10);
              int[] data = {rank == 2 ? 42 : 0};
              mpi().collective(mpi().world(), CollectiveCall.bcast(2, ints(data)));
              assertThat(data[0]).isEqualTo(42);
              int[] prefix = new int[1];
              mpi()
                  .collective(
                      mpi().world(),
                      new CollectiveCall(
                          CollectiveCall.Kind.SCAN, 0, ints(rank), null, ints(prefix), null, SUM));
              assertThat(prefix[0]).isEqualTo(rank * (rank + 1) / 2);
              int[] all = new int[ranks];
              mpi()
                  .collective(
                      mpi().world(),
                      new CollectiveCall(
                          CollectiveCall.Kind.ALLGATHER,
                          0,
                          ints(rank * rank),
                          null,
                          ints(all),
                          null,
                          null));
              assertThat(all).containsExactly(0, 1, 4, 9, 16);
              int[] to = {rank * 10, rank * 10 + 1, rank * 10 + 2, rank * 10 + 3, rank * 10 + 4};
              int[] from = new int[ranks];
              mpi()
                  .collective(
                      mpi().world(),
                      new CollectiveCall(
                          CollectiveCall.Kind.ALLTOALL, 0, ints(to), null, ints(from), null, null));
              assertThat(from).containsExactly(rank, 10 + rank, 20 + rank, 30 + rank, 40 + rank);
              Programs.barrier();
            }));
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void communicatorsKeepTheirMessagesApart(Schedule schedule) {
    succeeds(
        EmbeddedJob.run(
            JobRequest.of(4, schedule),
            rank -> {
              Fabric mpi = mpi();
              Communicator half = Objects.requireNonNull(mpi.split(mpi.world(), rank % 2, -rank));
              assertThat(half.size()).isEqualTo(2);
              assertThat(half.worldRank(half.rank())).isEqualTo(rank);
              assertThat(half.rank()).isEqualTo(rank < 2 ? 1 : 0);
              Communicator copy = mpi.dup(mpi.world());
              if (rank == 0) {
                mpi.send(mpi.world(), 1, 0, ints(1), SendMode.STANDARD);
                mpi.send(copy, 1, 0, ints(2), SendMode.STANDARD);
              } else if (rank == 1) {
                assertThat(value(mpi.receive(copy, 0, 0, null))).isEqualTo(2);
                assertThat(value(recv(0, 0))).isEqualTo(1);
              }
              Communicator inter = mpi.createInter(half, 0, mpi.world(), rank % 2 == 0 ? 3 : 2, 9);
              assertThat(inter.remoteSize()).isEqualTo(2);
              int peer = inter.rank();
              Received got = mpi.sendReceive(inter, peer, 1, ints(rank), peer, 1, null);
              assertThat(value(got)).isEqualTo(inter.remoteWorldRank(peer));
              Communicator all = mpi.merge(inter, rank % 2 == 0);
              assertThat(all.size()).isEqualTo(4);
              int[] sum = new int[1];
              mpi.collective(all, CollectiveCall.allreduce(ints(1), ints(sum), SUM));
              assertThat(sum[0]).isEqualTo(4);
            }));
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void aDeadlockIsFoundAndTheCycleNamed(Schedule schedule) {
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(4, schedule),
            rank -> {
              if (rank < 3) {
                ssend((rank + 1) % 3, 0, 1);
                recv((rank + 2) % 3, 0);
              }
            });
    assertThat(result.succeeded()).isFalse();
    assertThat(result.deadlock()).isPresent();
    Deadlock deadlock = result.deadlock().orElseThrow();
    assertThat(deadlock.cycle()).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(deadlock.waits()).hasSize(3);
    assertThat(deadlock.waits().getFirst().call()).isEqualTo(MpiCall.SSEND);
    assertThat(deadlock.waits().getFirst().what()).isEqualTo("rank 1 to receive, tag 0");
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void aDeadlockNamesTheLineOfTheProgram(Schedule schedule) {
    JobResult result = EmbeddedJob.run(JobRequest.of(2, schedule), Stuck::run);
    assertThat(result.deadlock().orElseThrow().waits())
        .map(wait -> wait.line().orElseThrow() + " " + wait.call() + " " + wait.what())
        .containsExactly(
            "Stuck.java:10 MPI_Recv a message from rank 1, tag 7",
            "Stuck.java:10 MPI_Recv a message from rank 0, tag 7");
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void anExceptionInOneRankEndsTheJob(Schedule schedule) {
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(3, schedule),
            rank -> {
              if (rank == 1) {
                throw new IllegalStateException("mine");
              }
              recv(1, 0);
            });
    assertThat(result.firstFailure().orElseThrow().failure()).hasMessage("mine");
    assertThat(result.deadlock()).isEmpty();
    assertThat(result.ranks().get(0).how()).isEqualTo(JobResult.How.ENDED_BY_JOB);
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void anAbortEndsTheJobWithItsCode(Schedule schedule) {
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(3, schedule),
            rank -> {
              if (rank == 2) {
                throw mpi().abort(9);
              }
              recv();
            });
    assertThat(result.abortCode()).hasValue(9);
    assertThat(result.ranks().get(2).how()).isEqualTo(JobResult.How.ABORTED);
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void collectiveCallsThatDifferAreReported(Schedule schedule) {
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(2, schedule),
            rank ->
                mpi()
                    .collective(
                        mpi().world(),
                        rank == 0 ? CollectiveCall.barrier() : CollectiveCall.bcast(0, ints(1))));
    assertThat(result.firstFailure().orElseThrow().failure())
        .hasMessageContaining("collective calls differ")
        .hasMessageContaining("MPI_Barrier")
        .hasMessageContaining("MPI_Bcast");
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void aMessageThatDoesNotFitIsTheReceiversError(Schedule schedule) {
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(2, schedule),
            rank -> {
              if (rank == 0) {
                send(1, 0, 1, 2, 3);
              } else {
                mpi().receive(mpi().world(), 0, 0, ints(new int[2]));
              }
            });
    assertThat(result.firstFailure().orElseThrow().failure())
        .isInstanceOf(FabricError.class)
        .hasMessageContaining("3 elements")
        .hasMessageContaining("room for 2");
  }

  /** A waker that counts too late lets the last sleeper believe that nobody is left. */
  @Test
  void ranksThatWakeEachOtherAllTheTimeAreNotDeadlocked() {
    for (int run = 0; run < 20; run++) {
      int ranks = 2 + run % 3;
      succeeds(
          EmbeddedJob.run(
              JobRequest.of(ranks, new Schedule.Free()),
              rank -> {
                for (int i = 0; i < 1_000; i++) {
                  if (rank == 0) {
                    send(1, 0, i);
                    recv(ranks - 1, 0);
                  } else {
                    recv(rank - 1, 0);
                    send((rank + 1) % ranks, 0, i);
                  }
                }
              }));
    }
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void manyRanksSendToOne(Schedule schedule) {
    int ranks = 800;
    succeeds(
        EmbeddedJob.run(
            JobRequest.of(ranks, schedule),
            rank -> {
              if (rank == 0) {
                for (int i = 1; i < ranks; i++) {
                  recv(Fabric.ANY_SOURCE, 4);
                }
              } else {
                send(0, 4, rank);
              }
            }));
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void standardSendsWaitForTheirReceiversIfAsked(Schedule schedule) {
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(2, schedule).withSyncSends(),
            rank -> {
              send(1 - rank, 0, rank);
              recv(1 - rank, 0);
            });
    assertThat(result.deadlock()).isPresent();
  }

  @Test
  void theLevelOfThreadsIsWhatTheMachineAllows() {
    Set<Boolean> free = ConcurrentHashMap.newKeySet();
    EmbeddedJob.run(JobRequest.of(2, new Schedule.Free()), _ -> free.add(mpi().anyThread()));
    assertThat(free).containsExactly(true);
    Set<Boolean> seeded = ConcurrentHashMap.newKeySet();
    EmbeddedJob.run(JobRequest.of(2, new Schedule.Seeded(1)), _ -> seeded.add(mpi().anyThread()));
    assertThat(seeded).containsExactly(true);
    Set<Boolean> chosen = ConcurrentHashMap.newKeySet();
    EmbeddedJob.run(
        JobRequest.of(2, new Schedule.Chosen(List.of())), _ -> chosen.add(mpi().anyThread()));
    assertThat(chosen).containsExactly(true);
  }
}
