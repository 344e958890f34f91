package org.reprise.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.reprise.ranks.EmbeddedJob;
import org.reprise.ranks.JobRequest;
import org.reprise.ranks.Schedule;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.engine.RankProgram;
import org.reprise.ranks.fabric.BasicType;
import org.reprise.ranks.fabric.CollectiveCall;
import org.reprise.ranks.fabric.Communicator;
import org.reprise.ranks.fabric.CurrentRank;
import org.reprise.ranks.fabric.Fabric;
import org.reprise.ranks.fabric.Payload;
import org.reprise.ranks.fabric.SendMode;

/**
 * How time and memory grow with ranks and messages. Memory is what is alive while all ranks are;
 * the code is warm before anything is timed, or the smallest size would pay for the compiler. Per
 * message, time is that of the processors, which others on the machine do not change much.
 */
final class RankGrowth {
  private static final int REPEATS = 7;
  private static final int WARM_UP_RANKS = 1_000;
  private static final int WARM_UPS = 20;

  /** So many ranks are run in one sample, in as many jobs as that takes: a clock has its grain. */
  private static final int RANKS_PER_SAMPLE = 10_000;

  private static final AtomicLong aliveBytes = new AtomicLong();

  private RankGrowth() {}

  static void print(List<Integer> sizes) {
    System.out.printf(
        Locale.ROOT,
        "%n%-23s %8s %9s %9s %9s %12s%n",
        "MANY RANKS",
        "RANKS",
        "MESSAGES",
        "ms",
        "cpu ms",
        "cpu us/msg");
    for (boolean seeded : new boolean[] {false, true}) {
      rows(sizes, seeded, "ring, sum", RankGrowth::ringAndSum);
      rows(sizes, seeded, "gather, any", RankGrowth::gatherFromAny);
      rows(sizes, seeded, "neighbours, any", RankGrowth::neighboursFromAny);
    }
    printMemory(sizes);
  }

  private static void printMemory(List<Integer> sizes) {
    // What the first one lets go of is not the second one's.
    aliveBytes(WARM_UP_RANKS, false);
    aliveBytes(WARM_UP_RANKS, true);
    System.out.printf(Locale.ROOT, "%n%-23s %8s %9s %9s%n", "MEMORY", "RANKS", "MB", "kB/rank");
    for (boolean seeded : new boolean[] {false, true}) {
      for (int ranks : sizes) {
        double kilobytes = aliveBytes(ranks, seeded) / 1024.0;
        System.out.printf(
            Locale.ROOT,
            "%-23s %8d %9.1f %9.2f%n",
            seeded ? "seeded, all wait" : "free, all wait",
            ranks,
            kilobytes / 1024,
            kilobytes / ranks);
      }
    }
  }

  private static void rows(
      List<Integer> sizes, boolean seeded, String name, IntFunction<RankProgram> programs) {
    for (int i = 0; i < WARM_UPS; i++) {
      millis(WARM_UP_RANKS, seeded, programs);
    }
    for (int ranks : sizes) {
      List<Double> millis = new ArrayList<>();
      List<Double> processorMillis = new ArrayList<>();
      int jobs = Math.max(1, RANKS_PER_SAMPLE / ranks);
      for (int i = 0; i < REPEATS; i++) {
        long begin = Machine.processorNanos();
        double sum = 0;
        for (int job = 0; job < jobs; job++) {
          sum += millis(ranks, seeded, programs);
        }
        millis.add(sum / jobs);
        processorMillis.add((Machine.processorNanos() - begin) / 1e6 / jobs);
      }
      double processor = Spread.of(processorMillis).median();
      // Two a rank: what it sends, and its part in the sum or the way back.
      int messages = 2 * ranks;
      System.out.printf(
          Locale.ROOT,
          "%-23s %8d %9d %9.2f %9.2f %12.2f%n",
          (seeded ? "seeded " : "free ") + name,
          ranks,
          messages,
          Spread.of(millis).median(),
          processor,
          processor * 1e3 / messages);
    }
  }

  private static double millis(int ranks, boolean seeded, IntFunction<RankProgram> programs) {
    long begin = System.nanoTime();
    run(ranks, seeded, programs.apply(ranks));
    return (System.nanoTime() - begin) / 1e6;
  }

  /** In use while all ranks but the last wait in a receive, less what was in use before. */
  private static long aliveBytes(int ranks, boolean seeded) {
    long before = usedBytes();
    aliveBytes.set(0);
    run(
        ranks,
        seeded,
        rank -> {
          Fabric mpi = CurrentRank.fabric();
          Communicator world = mpi.world();
          int last = ranks - 1;
          if (rank < last) {
            mpi.send(world, last, 0, ints(new int[1]), SendMode.STANDARD);
            mpi.receive(world, last, 0, ints(new int[1]));
          } else {
            for (int i = 0; i < last; i++) {
              mpi.receive(world, i, 0, ints(new int[1]));
            }
            aliveBytes.set(usedBytes() - before);
            for (int i = 0; i < last; i++) {
              mpi.send(world, i, 0, ints(new int[1]), SendMode.STANDARD);
            }
          }
          mpi.finish();
        });
    return aliveBytes.get();
  }

  private static long usedBytes() {
    // Twice: what the first one lets go of, such as finished threads, the second one takes.
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void run(int ranks, boolean seeded, RankProgram program) {
    Schedule schedule = seeded ? new Schedule.Seeded(1) : new Schedule.Free();
    JobResult result = EmbeddedJob.run(JobRequest.of(ranks, schedule), program);
    if (!result.succeeded()) {
      throw new IllegalStateException(result.toString());
    }
  }

  private static RankProgram ringAndSum(int count) {
    return rank -> {
      Fabric mpi = CurrentRank.fabric();
      Communicator world = mpi.world();
      int[] token = new int[1];
      if (rank > 0) {
        mpi.receive(world, rank - 1, 0, ints(token));
        token[0]++;
      }
      mpi.send(world, (rank + 1) % count, 0, ints(token), SendMode.STANDARD);
      if (rank == 0) {
        mpi.receive(world, count - 1, 0, ints(token));
      }
      int[] sum = new int[1];
      mpi.collective(
          world,
          CollectiveCall.allreduce(
              ints(new int[] {1}),
              ints(sum),
              (into, next) ->
                  ((int[]) into.array())[into.offset()] += ((int[]) next.array())[next.offset()]));
      if (sum[0] != count || (rank == 0 && token[0] != count - 1)) {
        throw new IllegalStateException("sum " + sum[0] + ", token " + token[0]);
      }
      mpi.finish();
    };
  }

  /** Everybody sends to rank 0, which takes what it gets and answers at the end. */
  private static RankProgram gatherFromAny(int count) {
    return rank -> {
      Fabric mpi = CurrentRank.fabric();
      Communicator world = mpi.world();
      if (rank > 0) {
        mpi.send(world, 0, 0, ints(new int[] {rank}), SendMode.STANDARD);
        mpi.receive(world, 0, 1, ints(new int[1]));
      } else {
        for (int i = 1; i < count; i++) {
          mpi.receive(world, Fabric.ANY_SOURCE, 0, ints(new int[1]));
        }
        for (int i = 1; i < count; i++) {
          mpi.send(world, i, 1, ints(new int[] {i}), SendMode.STANDARD);
        }
      }
      mpi.finish();
    };
  }

  /** Everybody sends to two neighbours and receives twice from any source. */
  private static RankProgram neighboursFromAny(int count) {
    return rank -> {
      Fabric mpi = CurrentRank.fabric();
      Communicator world = mpi.world();
      mpi.send(world, (rank + 1) % count, 0, ints(new int[] {rank}), SendMode.STANDARD);
      mpi.send(world, (rank + count - 1) % count, 0, ints(new int[] {rank}), SendMode.STANDARD);
      mpi.receive(world, Fabric.ANY_SOURCE, 0, ints(new int[1]));
      mpi.receive(world, Fabric.ANY_SOURCE, 0, ints(new int[1]));
      mpi.finish();
    };
  }

  private static Payload ints(int[] values) {
    return new Payload(BasicType.INT, values, 0, values.length);
  }
}
