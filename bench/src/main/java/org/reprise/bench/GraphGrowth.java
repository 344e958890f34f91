package org.reprise.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Progress;
import org.reprise.causality.races.Races;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/graph}: how the event graph grows with events and ranks, on generated traces. */
@Command(
    name = "bench/graph",
    mixinStandardHelpOptions = true,
    description = {
      "Builds event graphs of generated traces and asks them questions.",
      "Times are seconds of processor time, those of the collector and the compiler included, so"
          + " that a busy machine does not change them much; WALL s is the time that passed.",
      "Give the JVM its memory with JAVA_TOOL_OPTIONS=-Xmx4g; the memory printed is what is in use"
          + " after the build."
    })
public final class GraphGrowth implements Callable<Integer> {
  private static final int QUESTIONS = 1_000_000;

  /** Odd, as the hard questions are the even ones. */
  private static final int TIMED_EACH = 21;

  private static final long SEED = 20_250_104L;

  @Option(
      names = "--events",
      split = ",",
      description = "Events of each trace (1000000,2000000,5000000,10000000).")
  private List<Long> events = List.of(1_000_000L, 2_000_000L, 5_000_000L, 10_000_000L);

  @Option(
      names = "--ranks",
      split = ",",
      description = "Ranks of each trace (16,64,256,1024,4096).")
  private List<Integer> ranks = List.of(16, 64, 256, 1024, 4096);

  @Option(names = "--shape", split = ",", description = "${COMPLETION-CANDIDATES}; else all.")
  private List<GeneratedRank.Shape> shapes = List.of(GeneratedRank.Shape.values());

  @Option(names = "--clock-mb", description = "Memory for clocks, in MB (1024).")
  private long clockMegabytes = 1024;

  @Option(
      names = "--write",
      paramLabel = "DIR",
      description =
          "Write each trace as a run into this directory, for reprise to analyse, and do no more.")
  private Optional<Path> written = Optional.empty();

  private GraphGrowth() {}

  public static void main(String[] arguments) {
    System.exit(Bench.execute(new GraphGrowth(), arguments));
  }

  @Override
  public Integer call() {
    if (written.isPresent()) {
      for (GeneratedRank.Shape shape : shapes) {
        for (int count : ranks) {
          for (long size : events) {
            System.out.println(GeneratedRun.write(written.get(), shape, count, size).path());
          }
        }
      }
      return 0;
    }
    System.out.printf(
        Locale.ROOT,
        "%-10s %6s %10s %8s %8s %8s %8s %8s %10s %9s %9s%n",
        "SHAPE",
        "RANKS",
        "EVENTS",
        "READ s",
        "GRAPH s",
        "RACES s",
        "WALL s",
        "USED MB",
        "RACING",
        "ns/ASK",
        "median");
    for (GeneratedRank.Shape shape : shapes) {
      for (int count : ranks) {
        for (long size : events) {
          measure(shape, count, size);
        }
      }
    }
    return 0;
  }

  private void measure(GeneratedRank.Shape shape, int count, long size) {
    long beganWall = System.nanoTime();
    long began = processorNanos();
    EventTable.Builder builder = new EventTable.Builder(count);
    for (int rank = 0; rank < count; rank++) {
      builder.add(new GeneratedRank(shape, rank, count, size));
    }
    EventTable table = builder.build();
    long read = processorNanos();
    EventGraph graph = EventGraph.of(table, clockMegabytes << 20, Progress.NONE);
    long built = processorNanos();
    Races races = Races.of(graph);
    long scanned = processorNanos();
    long wall = System.nanoTime() - beganWall;
    if (!graph.notices().isEmpty()) {
      throw new IllegalStateException("the generated trace is not one: " + graph.notices());
    }
    long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    Asked asked = ask(graph);
    System.out.printf(
        Locale.ROOT,
        "%-10s %6d %10d %8.2f %8.2f %8.2f %8.2f %8d %10d %9.0f %9d%n",
        shape.name().toLowerCase(Locale.ROOT),
        count,
        table.size(),
        (read - began) / 1e9,
        (built - read) / 1e9,
        (scanned - built) / 1e9,
        wall / 1e9,
        used >> 20,
        races.size(),
        asked.meanNanos,
        asked.medianNanos);
  }

  static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** What a question took; the median is over those that were timed one by one. */
  private record Asked(double meanNanos, long medianNanos) {}

  /** Half of the questions are about events close to each other, which are the hard ones. */
  private static Asked ask(EventGraph graph) {
    SplittableRandom random = new SplittableRandom(SEED);
    EventTable table = graph.events();
    int yes = 0;
    long[] times = new long[QUESTIONS / TIMED_EACH + 1];
    int timed = 0;
    long began = processorNanos();
    for (int i = 0; i < QUESTIONS; i++) {
      int a = random.nextInt(table.size());
      int b = random.nextInt(table.size());
      if ((i & 1) == 0) {
        int rank = table.rank(b);
        int near = table.number(a) + random.nextInt(200) - 100;
        b = table.event(rank, Math.clamp(near, 0, Math.max(0, table.size(rank) - 1)));
      }
      if (i % TIMED_EACH == 0) {
        long before = System.nanoTime();
        yes += graph.precedes(a, b) ? 1 : 0;
        times[timed++] = System.nanoTime() - before;
      } else {
        yes += graph.precedes(a, b) ? 1 : 0;
      }
    }
    long took = processorNanos() - began;
    if (yes == 0 || yes == QUESTIONS) {
      throw new IllegalStateException("all questions have one answer");
    }
    Arrays.sort(times, 0, timed);
    return new Asked((double) took / QUESTIONS, times[timed / 2]);
  }
}
