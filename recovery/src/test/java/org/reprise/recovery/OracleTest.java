package org.reprise.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventTable;
import org.reprise.trace.events.CollectiveFlow;
import org.reprise.trace.events.Event;
import org.reprise.trace.events.EventKind;

/** Plans of small executions, compared with what the definitions say, by trying everything. */
class OracleTest {
  /** A drawn execution with a plan, and breakpoints of it. */
  private interface Claim {
    void holds(RandomRun run, Plan plan, Random random, String seed);
  }

  private static void forAll(int sample, Claim claim) {
    System.out.println("drawing with " + Draw.seed(0));
    for (int i = 0; i < Draw.executions(sample); i++) {
      long seed = Draw.SEED + i;
      RandomRun run = RandomRun.of(seed, true);
      Timeline timeline = Timeline.of(run.graph());
      Random random = new Random(seed);
      Period period = Draw.period(timeline, random);
      for (Policy policy : Policy.values()) {
        claim.holds(run, Plan.of(timeline, period, policy), random, policy + " " + Draw.seed(i));
      }
    }
  }

  @Test
  void theEventsOfADrawnExecutionArePairedAsDrawn() {
    forAll(
        200,
        (run, plan, _, seed) -> {
          EventTable events = plan.marks().timeline().events();
          Set<String> found = new TreeSet<>();
          for (int event = 0; event < events.size(); event++) {
            int to = event;
            plan.marks()
                .timeline()
                .deliveries()
                .sources(event, from -> found.add(name(events, from) + " " + name(events, to)));
          }
          Set<String> drawn = new TreeSet<>();
          for (RandomRun.Flow flow : run.flows) {
            drawn.add(flow.fromRank() + ":" + flow.from() + " " + flow.toRank() + ":" + flow.to());
          }
          assertThat(found).as(seed).isEqualTo(drawn);
        });
  }

  private static String name(EventTable events, int event) {
    return events.rank(event) + ":" + events.number(event);
  }

  @Test
  void theGreatestRecoveryLineIsTheGreatestOfAllThatServe() {
    forAll(
        300,
        (run, plan, random, seed) -> {
          for (int i = 0; i < 5; i++) {
            Cut breakpoint = Draw.breakpoint(plan.marks().timeline(), random);
            RecoveryLine line = RecoveryLine.greatest(plan, breakpoint);
            List<int[]> serving = new ArrayList<>();
            enumerate(run, plan, breakpoint, new int[run.ranks()], 0, serving);
            int[] greatest = new int[run.ranks()];
            for (int[] one : serving) {
              for (int rank = 0; rank < one.length; rank++) {
                greatest[rank] = Math.max(greatest[rank], one[rank]);
              }
            }
            for (int rank = 0; rank < greatest.length; rank++) {
              assertThat(line.number(rank)).as(seed).isEqualTo(greatest[rank]);
            }
            assertThat(serving).as(seed).anyMatch(one -> Arrays.equals(one, greatest));
          }
        });
  }

  private static void enumerate(
      RandomRun run, Plan plan, Cut breakpoint, int[] line, int rank, List<int[]> serving) {
    if (rank == line.length) {
      if (serves(run, plan, breakpoint, line)) {
        serving.add(line.clone());
      }
      return;
    }
    for (int number = 0; number < plan.marks().count(rank); number++) {
      if (plan.marks().position(rank, number) <= breakpoint.returned(rank)) {
        line[rank] = number;
        enumerate(run, plan, breakpoint, line, rank + 1, serving);
      }
    }
  }

  private static boolean serves(RandomRun run, Plan plan, Cut breakpoint, int[] line) {
    EventTable events = plan.marks().timeline().events();
    for (RandomRun.Flow flow : run.flows) {
      boolean replayed =
          flow.to() >= plan.marks().position(flow.toRank(), line[flow.toRank()])
              && flow.to() < breakpoint.returned(flow.toRank());
      boolean sentAgain =
          flow.from() >= plan.marks().position(flow.fromRank(), line[flow.fromRank()]);
      if (replayed && !sentAgain && !plan.log().has(events.event(flow.toRank(), flow.to()))) {
        return false;
      }
    }
    return true;
  }

  @Test
  void whatIsInTransitIsLoggedAndOrphansAreWhatWasReceivedBefore() {
    forAll(
        200,
        (run, plan, random, seed) -> {
          EventTable events = plan.marks().timeline().events();
          for (int i = 0; i < 5; i++) {
            Cut breakpoint = Draw.breakpoint(plan.marks().timeline(), random);
            RecoveryLine line = RecoveryLine.greatest(plan, breakpoint);
            BitSet inTransit = new BitSet();
            BitSet orphans = new BitSet();
            Map<List<Integer>, Integer> lastUse = new HashMap<>();
            for (RandomRun.Flow flow : run.flows) {
              lastUse.merge(List.of(flow.lane(), flow.place()), flow.to(), Math::max);
            }
            for (RandomRun.Flow flow : run.flows) {
              if (flow.lane() < 0) {
                continue;
              }
              int message =
                  plan.marks()
                      .timeline()
                      .deliveries()
                      .message(events.event(flow.toRank(), flow.to()));
              boolean behind = flow.to() >= line.position(flow.toRank());
              boolean sentBehind = flow.from() >= line.position(flow.fromRank());
              if (behind && flow.to() < breakpoint.returned(flow.toRank()) && !sentBehind) {
                inTransit.set(message);
                assertThat(plan.log().hasMessage(message)).as(seed).isTrue();
              }
              boolean probe = run.event(flow.toRank(), flow.to()).kind() == EventKind.PROBE;
              boolean lastOne =
                  flow.to() == lastUse.getOrDefault(List.of(flow.lane(), flow.place()), -1)
                      && !probe;
              if (lastOne
                  && !behind
                  && sentBehind
                  && flow.from() < breakpoint.begun(flow.fromRank())) {
                orphans.set(message);
              }
            }
            assertThat(line.inTransit()).as(seed).isEqualTo(inTransit);
            assertThat(line.orphans()).as(seed).isEqualTo(orphans);
          }
        });
  }

  @Test
  void whatIsLoggedIsWhatTheRulesSay() {
    forAll(
        300,
        (run, plan, _, seed) -> {
          NaiveOrder order = new NaiveOrder(run);
          Set<String> asked = new TreeSet<>();
          for (RandomRun.Flow flow : run.flows) {
            if (asksFor(plan, order, flow)) {
              asked.add(flow.lane() < 0 ? flow.toRank() + ":" + flow.to() : name(flow));
            }
          }
          Set<String> logged = new TreeSet<>();
          for (RandomRun.Flow flow : run.flows) {
            EventTable events = plan.marks().timeline().events();
            if (plan.log().has(events.event(flow.toRank(), flow.to()))) {
              logged.add(flow.lane() < 0 ? flow.toRank() + ":" + flow.to() : name(flow));
            }
          }
          assertThat(logged).as(seed).isEqualTo(asked);
          assertThat(plan.log().messages())
              .as(seed)
              .isEqualTo(asked.stream().filter(name -> name.startsWith("m")).count());
        });
  }

  private static String name(RandomRun.Flow flow) {
    return "m" + flow.lane() + "." + flow.place();
  }

  /** The rules of Thoai and Volkert (2003, section 6), word by word. */
  private static boolean asksFor(Plan plan, NaiveOrder order, RandomRun.Flow flow) {
    Marks marks = plan.marks();
    int q = flow.fromRank();
    int p = flow.toRank();
    int i = interval(marks, q, flow.from());
    int j = interval(marks, p, flow.to());
    assertThat(j).isGreaterThanOrEqualTo(i);
    if (j > i) {
      return true;
    }
    boolean first = mark(marks, q, i + 2) < 0 || q == p || isBefore(marks, order, p, q, i + 1);
    if (!first) {
      return true;
    }
    if (plan.policy() != Policy.ROS) {
      for (int s = 0; s < marks.timeline().ranks(); s++) {
        boolean counts = s != p && s != q && mark(marks, s, i + 2) >= 0;
        if (counts && isBefore(marks, order, q, s, i + 1) && !isBefore(marks, order, p, s, i + 1)) {
          return true;
        }
      }
    }
    EventTable events = marks.timeline().events();
    return plan.policy() == Policy.MRT
        && marks.sinceMark(events.event(q, flow.from()))
            > marks.untilReturn(events.event(p, flow.to()));
  }

  private static boolean isBefore(Marks marks, NaiveOrder order, int rank, int other, int index) {
    int from = mark(marks, rank, index);
    int to = mark(marks, other, index + 1);
    return from >= 0
        && to >= 0
        && order.isBefore(rank, marks.position(rank, from), other, marks.position(other, to));
  }

  private static int interval(Marks marks, int rank, int number) {
    int index = -1;
    for (int mark = 0; mark < marks.count(rank); mark++) {
      if (marks.position(rank, mark) <= number) {
        index = marks.get(rank, mark).index();
      }
    }
    return index;
  }

  private static int mark(Marks marks, int rank, int index) {
    for (int mark = 0; mark < marks.count(rank); mark++) {
      if (marks.get(rank, mark).index() >= index) {
        return mark;
      }
    }
    return -1;
  }

  @Test
  void noCutInTheWindowHasFewerBytesInTransit() {
    forAll(
        150,
        (run, plan, random, seed) -> {
          if (plan.policy() != Policy.OURS) {
            return;
          }
          Timeline timeline = plan.marks().timeline();
          int[] low = new int[run.ranks()];
          int[] high = new int[run.ranks()];
          int[] moments = new int[run.ranks()];
          for (int rank = 0; rank < low.length; rank++) {
            moments[rank] = 2 * random.nextInt(timeline.end(rank) + 1);
          }
          Cut upper = Cuts.between(timeline.graph(), new Cut(moments));
          for (int rank = 0; rank < low.length; rank++) {
            moments[rank] = Math.max(0, upper.moments()[rank] - 2 * random.nextInt(6));
          }
          Cut lower = Cuts.between(timeline.graph(), new Cut(moments));
          for (int rank = 0; rank < low.length; rank++) {
            low[rank] = lower.returned(rank);
            high[rank] = upper.returned(rank);
          }
          int[] found = CheapestCut.between(timeline, low, high);
          long least = least(run, timeline, low, high, new int[low.length], 0);
          assertThat(isConsistent(run, timeline, found)).as(seed).isTrue();
          assertThat(cost(run, found, high)).as(seed).isEqualTo(least);
        });
  }

  private static long least(
      RandomRun run, Timeline timeline, int[] low, int[] high, int[] at, int rank) {
    if (rank == at.length) {
      return isConsistent(run, timeline, at) ? cost(run, at, high) : Long.MAX_VALUE;
    }
    long least = Long.MAX_VALUE;
    for (at[rank] = low[rank]; at[rank] <= high[rank]; at[rank]++) {
      least = Math.min(least, least(run, timeline, low, high, at, rank + 1));
    }
    return least;
  }

  private static boolean isConsistent(RandomRun run, Timeline timeline, int[] at) {
    for (int rank = 0; rank < at.length; rank++) {
      if (timeline.position(rank, at[rank]) != at[rank]) {
        return false;
      }
    }
    return run.flows.stream()
        .allMatch(flow -> flow.to() >= at[flow.toRank()] || flow.from() < at[flow.fromRank()]);
  }

  /**
   * Bytes of what is in transit, and one more for each; of collectives what a root gives or gets
   * within the window.
   */
  private static long cost(RandomRun run, int[] at, int[] high) {
    Map<List<Integer>, RandomRun.Flow> receives = new HashMap<>();
    for (RandomRun.Flow flow : run.flows) {
      if (flow.lane() >= 0) {
        receives.merge(List.of(flow.lane(), flow.place()), flow, (a, b) -> a.to() > b.to() ? a : b);
      }
    }
    long cost = 0;
    for (RandomRun.Flow flow : run.flows) {
      boolean crosses =
          flow.from() < at[flow.fromRank()]
              && flow.to() >= at[flow.toRank()]
              && flow.to() < high[flow.toRank()];
      Event source = run.event(flow.fromRank(), flow.from());
      if (flow.lane() < 0 && crosses && source.flow() != CollectiveFlow.ALL) {
        cost += source.bytes() + 1;
      }
    }
    for (RandomRun.Flow flow : receives.values()) {
      boolean probe = run.event(flow.toRank(), flow.to()).kind() == EventKind.PROBE;
      if (!probe && flow.from() < at[flow.fromRank()] && flow.to() >= at[flow.toRank()]) {
        cost += run.event(flow.fromRank(), flow.from()).bytes() + 1;
      }
    }
    return cost;
  }
}
