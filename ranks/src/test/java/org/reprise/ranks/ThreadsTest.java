package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.ranks.Programs.mpi;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;
import static org.reprise.ranks.Programs.value;
import static org.reprise.ranks.RankThreads.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reprise.ranks.engine.JobResult;

/** Several threads of a rank call MPI, in whatever order. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadsTest {
  enum Pools {
    FIXED(threads -> Executors.newFixedThreadPool(threads)),
    VIRTUAL(_ -> Executors.newVirtualThreadPerTaskExecutor()),
    FORK_JOIN(threads -> new ForkJoinPool(threads));

    private final Function<Integer, ExecutorService> make;

    Pools(Function<Integer, ExecutorService> make) {
      this.make = make;
    }
  }

  @ParameterizedTest
  @EnumSource(Pools.class)
  void workersOfAnExecutorBelongToTheRankThatMadeIt(Pools pool) {
    int ranks = 4;
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(ranks, new Schedule.Free()),
            rank -> {
              try (ExecutorService workers = pool.make.apply(3)) {
                List<Future<Integer>> tasks =
                    IntStream.range(0, 6)
                        .mapToObj(
                            task ->
                                workers.submit(
                                    () -> {
                                      send((rank + 1) % ranks, task, rank);
                                      return value(recv((rank + ranks - 1) % ranks, task));
                                    }))
                        .toList();
                for (Future<Integer> task : tasks) {
                  assertThat(task.get()).isEqualTo((rank + ranks - 1) % ranks);
                }
              }
            });
    assertThat(result.firstFailure().map(JobResult.RankEnd::failure)).isEmpty();
    assertThat(result.succeeded()).isTrue();
  }

  /** Main waits in the program's own code, its thread in a call that nothing can end. */
  @Test
  void aDeadlockIsFoundWhereMainOnlyWaitsForItsThread() {
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(2, new Schedule.Free()),
            rank -> {
              Thread thread = Thread.ofVirtual().start(() -> recv(1 - rank, 3));
              thread.join();
            });
    assertThat(result.deadlock().orElseThrow().waits()).hasSize(2);
  }

  /** Nothing is known of a thread that has never called: it may be about to. */
  @Test
  void aThreadThatComputesForLongIsNoDeadlock() throws Exception {
    CountDownLatch computed = new CountDownLatch(1);
    Thread clock =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    Thread.sleep(4_000);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  computed.countDown();
                });
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(2, new Schedule.Free()),
            rank -> {
              if (rank == 0) {
                Thread.ofVirtual()
                    .start(
                        () -> {
                          await(computed);
                          send(1, 0, 5);
                        });
              }
              recv(1 - rank, rank == 0 ? 1 : 0);
              if (rank == 1) {
                send(0, 1, 6);
              }
            });
    clock.join();
    assertThat(result.deadlock()).isEmpty();
    assertThat(result.succeeded()).isTrue();
  }

  /** Whoever listens to uncaught exceptions while the job runs may be gone when the thread ends. */
  @Test
  void aThreadThatTheJobEndsUnderSaysNothing() throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      for (Schedule schedule : List.of(new Schedule.Free(), new Schedule.Seeded(1))) {
        List<Thread> left = new ArrayList<>();
        CountDownLatch calls = new CountDownLatch(1);
        EmbeddedJob.run(
            JobRequest.of(1, schedule),
            rank -> {
              Thread thread =
                  Thread.ofPlatform()
                      .daemon()
                      .unstarted(
                          () -> {
                            calls.countDown();
                            recv(0, 5);
                          });
              left.add(thread);
              thread.start();
              calls.await();
              throw mpi().abort(3);
            });
        left.getFirst().join();
      }
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /**
   * As many ranks as there are carriers do nothing but poll for what another one sends: that one
   * must get a carrier. Whether it would without that depends on where its thread is queued, so
   * there are many jobs, each begun by another thread.
   */
  @Test
  void ranksThatOnlyPollDoNotKeepOthersFromBeginning() throws Exception {
    int pollers = Math.max(2, Runtime.getRuntime().availableProcessors());
    for (int i = 0; i < 200; i++) {
      Thread job =
          Thread.ofPlatform()
              .start(
                  () ->
                      EmbeddedJob.run(
                          JobRequest.of(pollers + 1, new Schedule.Free()),
                          rank -> {
                            if (rank == pollers) {
                              for (int dest = 0; dest < pollers; dest++) {
                                send(dest, 0, 1);
                              }
                            } else {
                              while (mpi().iprobe(mpi().world(), pollers, 0).isEmpty()) {
                                Thread.onSpinWait();
                              }
                              recv(pollers, 0);
                            }
                          }));
      job.join();
    }
  }
}
