package org.reprise.bench;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.recovery.Assessment;
import org.reprise.recovery.OnTheFly;
import org.reprise.recovery.Period;
import org.reprise.recovery.Plan;
import org.reprise.recovery.Policy;
import org.reprise.recovery.Timeline;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench/recovery --growth}: how planning grows with events and ranks. */
@Command(
    name = "bench/recovery --growth",
    mixinStandardHelpOptions = true,
    description = {
      "Plans checkpoints of generated traces by each policy, and tries the plans.",
      "Times are seconds of processor time: of the graph, of a plan by each policy, of its trial on"
          + " breakpoints, and of MRT on the fly. Give the JVM its memory with"
          + " JAVA_TOOL_OPTIONS=-Xmx4g; the memory printed is in use after that."
    })
public final class PlanGrowth implements Callable<Integer> {
  @Option(names = "--events", split = ",", description = "Events of each trace (1000000,10000000).")
  private List<Long> events = List.of(1_000_000L, 10_000_000L);

  @Option(names = "--ranks", split = ",", description = "Ranks of each trace (16,64).")
  private List<Integer> ranks = List.of(16, 64);

  @Option(names = "--shape", split = ",", description = "${COMPLETION-CANDIDATES}; else all.")
  private List<GeneratedRank.Shape> shapes = List.of(GeneratedRank.Shape.values());

  @Option(names = "--periods", description = "Checkpoints of each rank (20).")
  private int periods = 20;

  private PlanGrowth() {}

  public static void main(String[] arguments) {
    System.exit(Bench.execute(new PlanGrowth(), arguments));
  }

  @Override
  public Integer call() {
    System.out.printf(
        Locale.ROOT,
        "%-10s %6s %10s %8s %8s %8s %8s %8s %8s %8s%n",
        "SHAPE",
        "RANKS",
        "EVENTS",
        "GRAPH s",
        "OURS s",
        "MRT s",
        "ROS s",
        "TRIAL s",
        "FLY s",
        "USED MB");
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
    long began = GraphGrowth.processorNanos();
    EventTable.Builder builder = new EventTable.Builder(count);
    for (int rank = 0; rank < count; rank++) {
      builder.add(new GeneratedRank(shape, rank, count, size));
    }
    Timeline timeline = Timeline.of(EventGraph.of(builder.build()));
    Period.OfTime period = new Period.OfTime(Math.max(1, timeline.durationNanos() / periods));
    double graph = since(began);
    Policy[] policies = Policy.values();
    double[] planned = new double[policies.length];
    double tried = 0;
    for (Policy policy : policies) {
      began = GraphGrowth.processorNanos();
      Plan plan = Plan.of(timeline, period, policy);
      planned[policy.ordinal()] = since(began);
      began = GraphGrowth.processorNanos();
      Assessment.of(plan, Assessment.Sample.of(timeline, period, 100), 0);
      tried += since(began);
    }
    began = GraphGrowth.processorNanos();
    OnTheFly flight = OnTheFly.of(timeline, period, 0);
    if (!flight.isWhole()) {
      throw new IllegalStateException("a rank got stuck");
    }
    double flown = since(began);
    long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    System.out.printf(
        Locale.ROOT,
        "%-10s %6d %10d %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %8d%n",
        shape.name().toLowerCase(Locale.ROOT),
        count,
        timeline.events().size(),
        graph,
        planned[Policy.OURS.ordinal()],
        planned[Policy.MRT.ordinal()],
        planned[Policy.ROS.ordinal()],
        tried,
        flown,
        used >> 20);
  }

  private static double since(long began) {
    return (GraphGrowth.processorNanos() - began) / 1e9;
  }
}
