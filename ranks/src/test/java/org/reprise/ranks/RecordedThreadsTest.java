package org.reprise.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.ranks.Programs.complete;
import static org.reprise.ranks.Programs.irecv;
import static org.reprise.ranks.Programs.mpi;
import static org.reprise.ranks.Programs.recv;
import static org.reprise.ranks.Programs.send;
import static org.reprise.ranks.Programs.ssend;
import static org.reprise.ranks.Programs.value;
import static org.reprise.ranks.RankThreads.await;
import static org.reprise.ranks.RankThreads.inThreads;
import static org.reprise.ranks.RankThreads.told;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reprise.ranks.RankThreads.Log;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.CompletionMode;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Operation;
import org.reprise.ranks.fabric.Received;
import org.reprise.ranks.host.HostedProgram;
import org.reprise.ranks.host.HostedRanks;
import org.reprise.ranks.host.ProgramCommand;
import org.reprise.ranks.host.RankStreams;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.order.Outcome;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDirectory;

/** What several threads of a rank get is recorded, and a replay gives it back. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordedThreadsTest {
  private static final int ROUNDS = 12;
  private static final int RANKS = 3;
  private static final int THREADS = 3;
  private static final int MESSAGES = 8;

  @TempDir Path directory;

  /**
   * Each thread sends its messages to drawn ranks and then receives as many as the rank's threads
   * have to share, from anybody: who gets what is schedule-dependent, many times over.
   */
  private static RankProgram sharing(long seed, Log log) {
    int[][] to = new int[RANKS * THREADS][MESSAGES];
    int[] received = new int[RANKS];
    Random random = new Random(seed);
    for (int[] each : to) {
      for (int m = 0; m < MESSAGES; m++) {
        each[m] = random.nextInt(RANKS);
        received[each[m]]++;
      }
    }
    return rank -> {
      mpi().init();
      inThreads(
          THREADS,
          thread -> {
            Random own = new Random(seed * 31 + rank * 7L + thread);
            int[] mine = to[rank * THREADS + thread];
            for (int m = 0; m < MESSAGES; m++) {
              send(mine[m], own.nextInt(2), rank * 10_000 + thread * 100 + m);
              if (own.nextInt(4) == 0) {
                log.add(
                    rank,
                    thread,
                    "saw " + mpi().iprobe(mpi().world(), Fabric.ANY_SOURCE, 0).isPresent());
              }
            }
            int share = received[rank] / THREADS + (thread < received[rank] % THREADS ? 1 : 0);
            take(share, own, line -> log.add(rank, thread, line));
          });
      mpi().finish();
    };
  }

  private static void take(int share, Random own, java.util.function.Consumer<String> log) {
    for (int left = share; left > 0; left--) {
      switch (own.nextInt(left > 1 ? 5 : 4)) {
        case 0 -> log.accept("recv " + told(recv()));
        case 1 -> {
          Received seen = mpi().probe(mpi().world(), Fabric.ANY_SOURCE, Fabric.ANY_TAG);
          log.accept("probe " + seen.source() + ":" + seen.tag());
          log.accept("recv " + told(recv()));
        }
        case 2 -> {
          Operation posted = irecv(Fabric.ANY_SOURCE, Fabric.ANY_TAG);
          complete(CompletionMode.WAIT, posted);
          log.accept("wait " + told(posted.received()));
        }
        case 3 -> {
          Operation posted = irecv(Fabric.ANY_SOURCE, Fabric.ANY_TAG);
          int polls = 0;
          while (complete(CompletionMode.TEST, posted) == null) {
            polls++;
          }
          log.accept("test " + polls + " " + told(posted.received()));
        }
        default -> {
          Operation[] two = {
            irecv(Fabric.ANY_SOURCE, Fabric.ANY_TAG), irecv(Fabric.ANY_SOURCE, Fabric.ANY_TAG)
          };
          int first = Objects.requireNonNull(complete(CompletionMode.WAIT_ANY, two))[0];
          log.accept("any " + first + " " + told(two[first].received()));
          complete(CompletionMode.WAIT, two[1 - first]);
          log.accept("other " + told(two[1 - first].received()));
          left--;
        }
      }
    }
  }

  @Test
  void threadsThatShareWhatARankReceivesReplayToTheSame() throws Exception {
    int switches = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long seed = 70_000L + i;
      Log first = new Log();
      RecordedRun recorded =
          Recordings.record(
              directory,
              "run-" + i,
              RANKS,
              new Schedule.Free(i % 2 == 0 ? OptionalLong.empty() : OptionalLong.of(seed)),
              sharing(seed, first));
      switches += turns(recorded);
      for (int again = 0; again < 2; again++) {
        Log second = new Log();
        RunDirectory replayed =
            Recordings.replay(
                directory, "replay-" + i + "-" + again, recorded, sharing(seed, second));
        assertThat(second.seen()).as("seed %d", seed).isEqualTo(first.seen());
        sameOrder(recorded, replayed, "seed " + seed);
      }
    }
    assertThat(switches).as("changes of thread, or nothing was tested").isGreaterThan(ROUNDS);
  }

  private static int turns(RecordedRun recorded) {
    int turns = 0;
    for (org.reprise.trace.Rank rank : recorded.headers().keySet()) {
      try (var order = recorded.directory().openOrder(rank)) {
        while (order.hasNext()) {
          turns += order.next().outcome() instanceof Outcome.Turn ? 1 : 0;
        }
      }
    }
    return turns;
  }

  private static void sameOrder(RecordedRun recorded, RunDirectory replayed, String where) {
    for (org.reprise.trace.Rank rank : recorded.headers().keySet()) {
      RankHeader then = recorded.directory().header(rank);
      RankHeader now = replayed.header(rank);
      assertThat(now.divergence()).as(where).isEmpty();
      assertThat(now.orderHash()).as(where).isEqualTo(then.orderHash());
      assertThat(now.events()).as(where).isEqualTo(then.events());
      assertThat(now.has(Wire.Flag.TURNS_GIVEN_UP)).as(where).isFalse();
      assertThat(now.has(Wire.Flag.REACHED_END)).as(where).isTrue();
      assertThat(now.state()).as(where).isEqualTo(then.state());
    }
  }

  /** Of two threads, one takes what the other has seen: which message a probe sees is in order. */
  @Test
  void aProbeSeesItsMessageBeforeAnotherThreadTakesIt() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Log first = new Log();
      RecordedRun recorded =
          Recordings.record(directory, "run-" + i, 2, new Schedule.Free(), probing(first));
      for (int again = 0; again < 3; again++) {
        Log second = new Log();
        RunDirectory replayed =
            Recordings.replay(directory, "replay-" + i + "-" + again, recorded, probing(second));
        assertThat(second.seen()).isEqualTo(first.seen());
        sameOrder(recorded, replayed, "run " + i);
      }
    }
  }

  private static RankProgram probing(Log log) {
    int messages = 20;
    return rank -> {
      mpi().init();
      if (rank == 1) {
        for (int m = 0; m < 2 * messages; m++) {
          send(0, m, m);
        }
      } else {
        inThreads(
            2,
            thread -> {
              for (int m = 0; m < messages; m++) {
                Received seen = mpi().probe(mpi().world(), Fabric.ANY_SOURCE, Fabric.ANY_TAG);
                log.add(rank, thread, "saw " + seen.tag());
                log.add(rank, thread, "took " + value(recv(1, Fabric.ANY_TAG)));
              }
            });
      }
      mpi().finish();
    };
  }

  /** Sends of two threads to one receiver: their order is the receiver's order. */
  @Test
  void messagesOfTwoThreadsLeaveInTheRecordedOrder() throws Exception {
    RankProgramOf<Log> program =
        log ->
            rank -> {
              mpi().init();
              if (rank == 0) {
                inThreads(
                    3,
                    thread -> {
                      for (int m = 0; m < 30; m++) {
                        if (m % 5 == 0) {
                          ssend(1, 7, thread * 100 + m);
                        } else {
                          send(1, 7, thread * 100 + m);
                        }
                      }
                    });
              } else {
                for (int m = 0; m < 90; m++) {
                  log.add(rank, 0, String.valueOf(value(recv(0, 7))));
                }
              }
              mpi().finish();
            };
    for (int i = 0; i < ROUNDS; i++) {
      Log first = new Log();
      RecordedRun recorded =
          Recordings.record(directory, "run-" + i, 2, new Schedule.Free(), program.with(first));
      Log second = new Log();
      RunDirectory replayed =
          Recordings.replay(directory, "replay-" + i, recorded, program.with(second));
      assertThat(second.seen()).isEqualTo(first.seen());
      sameOrder(recorded, replayed, "run " + i);
    }
  }

  private interface RankProgramOf<T> {
    RankProgram with(T what);
  }

  /** One that holds the lock of the thread whose turn it is would be held back for ever. */
  @Test
  void whereThreadsCannotBeKeptInOrderTheOrderIsGivenUpAndTheRunGoesOn() throws Exception {
    RankProgramOf<Boolean> program =
        firstFirst ->
            rank -> {
              mpi().init();
              if (rank == 0) {
                CountDownLatch turn = new CountDownLatch(1);
                inThreads(
                    2,
                    thread -> {
                      boolean goesFirst = (thread == 0) == firstFirst;
                      mpi().wtime();
                      if (!goesFirst) {
                        await(turn);
                      }
                      send(1, thread, thread);
                      if (goesFirst) {
                        turn.countDown();
                      }
                    });
              } else {
                recv(0, 0);
                recv(0, 1);
              }
              mpi().finish();
            };
    RecordedRun recorded =
        Recordings.record(directory, "run", 2, new Schedule.Free(), program.with(true));
    RunDirectory replayed = Recordings.replay(directory, "replay", recorded, program.with(false));
    assertThat(replayed.header(new org.reprise.trace.Rank(0)).has(Wire.Flag.TURNS_GIVEN_UP))
        .isTrue();
    assertThat(replayed.header(new org.reprise.trace.Rank(0)).state())
        .isEqualTo(Wire.State.FINALIZED);
  }

  /** Threads of the first rank receive under locks of every kind, one at a time. */
  private static final String UNDER_LOCKS =
      """
      import java.util.concurrent.Semaphore;
      import java.util.concurrent.locks.ReentrantLock;
      import mpi.*;

      class UnderLocks {
        static final Object monitor = new Object();
        static final ReentrantLock lock = new ReentrantLock();
        static final Semaphore semaphore = new Semaphore(1);
        static int last;

        static synchronized int inMethod() {
          return next();
        }

        synchronized int inInstance(long unused) {
          return next();
        }

        static int inBlock() {
          synchronized (monitor) {
            return next();
          }
        }

        static int locked() {
          lock.lock();
          try {
            return next();
          } finally {
            lock.unlock();
          }
        }

        static int acquired() throws InterruptedException {
          semaphore.acquire();
          try {
            return next();
          } finally {
            semaphore.release();
          }
        }

        // What was received before shows who had the lock before.
        static int next() {
          int[] a = new int[1];
          MPI.COMM_WORLD.recv(a, 1, MPI.INT, MPI.ANY_SOURCE, 0);
          int before = last;
          last = a[0];
          return 1000 * before + a[0];
        }

        public static void main(String[] args) throws Exception {
          MPI.InitThread(args, MPI.THREAD_SERIALIZED);
          int kind = Integer.parseInt(args[0]);
          if (MPI.COMM_WORLD.getRank() > 0) {
            for (int i = 0; i < 20; i++) {
              MPI.COMM_WORLD.send(new int[] {i}, 1, MPI.INT, 0, 0);
            }
          } else {
            UnderLocks shared = new UnderLocks();
            Thread[] threads = new Thread[4];
            String[] seen = new String[threads.length];
            for (int t = 0; t < threads.length; t++) {
              int thread = t;
              threads[t] = new Thread(() -> {
                StringBuilder all = new StringBuilder();
                for (int i = 0; i < 10; i++) {
                  try {
                    all.append(' ').append(switch (kind) {
                      case 0 -> inBlock();
                      case 1 -> inMethod();
                      case 2 -> shared.inInstance(7);
                      case 3 -> locked();
                      default -> acquired();
                    });
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                }
                seen[thread] = all.toString();
              });
            }
            for (Thread thread : threads) {
              thread.start();
            }
            for (Thread thread : threads) {
              thread.join();
            }
            for (String all : seen) {
              System.out.println(all);
            }
          }
          MPI.Finalize();
        }
      }
      """;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void locksAroundCallsAreTakenInTheRecordedOrder(int kind) throws Exception {
    Files.writeString(directory.resolve("UnderLocks.java"), UNDER_LOCKS);
    try (HostedProgram program =
        HostedProgram.open(ProgramCommand.parse(List.of("UnderLocks.java")), directory)) {
      for (int i = 0; i < 4; i++) {
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        RecordedRun recorded =
            Recordings.record(
                directory,
                "run-" + i,
                3,
                new Schedule.Free(OptionalLong.of(i)),
                hosted(program, kind, first));
        ByteArrayOutputStream second = new ByteArrayOutputStream();
        RunDirectory replayed =
            Recordings.replay(directory, "replay-" + i, recorded, hosted(program, kind, second));
        assertThat(first.toString(StandardCharsets.UTF_8)).hasLineCount(4);
        assertThat(second.toString(StandardCharsets.UTF_8))
            .isEqualTo(first.toString(StandardCharsets.UTF_8));
        sameOrder(recorded, replayed, "run " + i);
      }
    }
  }

  private static HostedRanks hosted(HostedProgram program, int kind, ByteArrayOutputStream out) {
    RankStreams streams =
        new RankStreams(
            () -> out,
            OutputStream::nullOutputStream,
            InputStream::nullInputStream,
            StandardCharsets.UTF_8);
    return new HostedRanks(program, List.of(String.valueOf(kind)), _ -> streams);
  }

  /** A run that ended in a deadlock is replayed up to there, with all its threads. */
  @Test
  void aDeadlockOfThreadsIsReplayed() throws Exception {
    RankProgramOf<Log> program =
        log ->
            rank -> {
              mpi().init();
              inThreads(
                  2,
                  thread -> {
                    send(1 - rank, 0, rank * 10 + thread);
                    log.add(rank, thread, told(recv(Fabric.ANY_SOURCE, 0)));
                    recv(Fabric.ANY_SOURCE, 9);
                  });
            };
    Log first = new Log();
    RecordedRun recorded =
        Recordings.record(directory, "run", 2, new Schedule.Free(), program.with(first));
    Log second = new Log();
    RunDirectory replayed = Recordings.replay(directory, "replay", recorded, program.with(second));
    assertThat(second.seen()).isEqualTo(first.seen());
    for (org.reprise.trace.Rank rank : recorded.headers().keySet()) {
      assertThat(replayed.header(rank).has(Wire.Flag.REACHED_END)).isTrue();
      assertThat(replayed.header(rank).has(Wire.Flag.TURNS_GIVEN_UP)).isFalse();
    }
  }
}
