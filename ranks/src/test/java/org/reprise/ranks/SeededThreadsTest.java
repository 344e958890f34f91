package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.ranks.Programs.mpi;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;
import static org.reprise.ranks.Programs.value;
import static org.reprise.ranks.RankThreads.inThreads;
import static org.reprise.ranks.RankThreads.told;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reprise.ranks.RankThreads.Log;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Fabric;

/** A seed decides the order in which several threads of a rank call MPI. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeededThreadsTest {
  private static final int RANKS = 3;

  /** What each thread receives, in the order of the seed. */
  private static Map<String, List<String>> seeded(long seed, Function<Log, RankProgram> program) {
    Log log = new Log();
    JobResult result =
        EmbeddedJob.run(JobRequest.of(RANKS, new Schedule.Seeded(seed)), program.apply(log));
    assertThat(result.succeeded()).as("seed %d: %s", seed, result).isTrue();
    assertThat(result.warnings()).isEmpty();
    return log.seen();
  }

  /** Threads send, receive and poll at the same time. */
  private static RankProgram receiving(Log log) {
    return rank -> {
      mpi().init();
      inThreads(
          2,
          thread -> {
            send((rank + 1) % RANKS, 0, 10 * rank + thread);
            send((rank + 2) % RANKS, 0, 10 * rank + thread);
            boolean isThere = mpi().iprobe(mpi().world(), Fabric.ANY_SOURCE, 0).isPresent();
            log.add(rank, thread, isThere + " " + told(recv()) + " " + told(recv()));
          });
      mpi().finish();
    };
  }

  /** Tasks of a pool and the rank's first thread wait for each other outside of MPI, too. */
  private static RankProgram handing(Log log) {
    return rank -> {
      mpi().init();
      mpi().collective(mpi().world(), CollectiveCall.barrier());
      BlockingQueue<String> done = new LinkedBlockingQueue<>();
      try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
        for (int i = 0; i < 4; i++) {
          int task = i;
          pool.execute(
              () -> {
                send((rank + 1) % RANKS, 0, task);
                done.add("task " + task);
              });
        }
        for (int i = 0; i < 4; i++) {
          log.add(rank, 0, value(recv()) + " " + done.take());
        }
      }
      mpi().finish();
    };
  }

  @Test
  void aSeedDecidesTheOrderOfThreads() {
    List<Function<Log, RankProgram>> programs =
        List.of(SeededThreadsTest::receiving, SeededThreadsTest::handing);
    for (Function<Log, RankProgram> program : programs) {
      Set<Map<String, List<String>>> different = new HashSet<>();
      for (long seed = 1; seed <= 4; seed++) {
        Map<String, List<String>> first = seeded(seed, program);
        assertThat(seeded(seed, program)).as("seed %d", seed).isEqualTo(first);
        different.add(first);
      }
      assertThat(different).hasSizeGreaterThan(1);
    }
  }

  /** Two threads that do not synchronise: each order of their sends comes up. */
  @Test
  void seedsDrawBothOrdersOfTwoThreads() {
    Set<Integer> first = new HashSet<>();
    for (long seed = 0; first.size() < 2 && seed < 64; seed++) {
      EmbeddedJob.run(
          JobRequest.of(1, new Schedule.Seeded(seed)),
          rank -> {
            inThreads(2, thread -> send(rank, 0, thread));
            first.add(value(recv()));
            recv();
          });
    }
    assertThat(first).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void threadsThatAllWaitAreADeadlockWithASeedToo() {
    JobResult result =
        EmbeddedJob.run(
            JobRequest.of(2, new Schedule.Seeded(1)),
            rank -> inThreads(2, thread -> recv(1 - rank, 5)));
    assertThat(result.deadlock()).isPresent();
  }
}
