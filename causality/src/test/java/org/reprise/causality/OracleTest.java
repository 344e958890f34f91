package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.reprise.causality.live.LiveAgreement;
import org.reprise.causality.races.Races;

/**
 * Every statement about small programs agrees with a model that goes through all their executions.
 * A failure prints the program; a seed makes the random ones again.
 */
class OracleTest {
  private static final int STATES_MAX = 6000;

  private int executions;
  private int racing;
  private int controlled;

  @Test
  void randomProgramsAgreeWithTheModel() {
    long seed = Long.getLong("reprise.seed", 20_250_103L);
    int programs = Integer.getInteger("reprise.programs", 400);
    System.out.println("random programs with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < programs; i++) {
      check(RandomPrograms.program(random), random);
    }
    System.out.println(
        executions + " executions, " + racing + " races, " + controlled + " receives to force");
    assertThat(racing).as("races met").isGreaterThan(100);
    assertThat(controlled).as("receives to force").isGreaterThan(100);
  }

  @Test
  void theShortcutOfTheModelLosesNoExecution() {
    Random random = new Random(20_250_104L);
    for (int i = 0; i < 100; i++) {
      Machine machine = new Machine(RandomPrograms.program(random), new Machine.Control() {});
      Set<Map<Integer, Integer>> all = machine.executionsThroughAllStates(STATES_MAX).keySet();
      if (!all.isEmpty()) {
        assertThat(machine.executions(STATES_MAX).keySet()).as("%s", machine).isEqualTo(all);
      }
    }
  }

  /**
   * Rank 0 makes three receives, and gets three messages; all patterns, blocking or not, all tags,
   * waits in either order, and the last message free or sent after rank 0's second receive. The
   * step is a prime, so that every combination of few choices comes up.
   */
  @Test
  void allProgramsOfASmallGrammarAgreeWithTheModel() {
    Random random = new Random(1);
    int each = Integer.getInteger("reprise.grammarEach", 53);
    for (int number = 0; number < SmallGrammar.SIZE; number += each) {
      check(SmallGrammar.program(number), random);
    }
    System.out.println(
        executions + " executions, " + racing + " races, " + controlled + " receives to force");
    assertThat(racing).isGreaterThan(100);
  }

  void check(Machine.Program program, Random random) {
    Machine free = new Machine(program, new Machine.Control() {});
    Map<Map<Integer, Integer>, Machine.State> all = free.executions(STATES_MAX);
    int looked = 0;
    for (Machine.State state : all.values()) {
      if (free.isComplete(state) && looked++ < 12) {
        try {
          check(program, state, random);
        } catch (Throwable t) {
          throw new AssertionError(
              program + "\nwith " + state.outcomes() + "\n" + t.getMessage(), t);
        }
      }
    }
  }

  private void check(Machine.Program program, Machine.State state, Random random) {
    // Little memory for clocks, so that questions between two of them are asked, too.
    Execution execution = new Execution(state, random.nextBoolean() ? 1 : 100);
    executions++;
    assertThat(execution.graph.notices()).isEmpty();
    pairing(execution);
    NaiveGraph naive = new NaiveGraph(execution);
    order(execution, naive);
    pastAndFuture(execution, naive);
    criticalPath(execution, naive, random);
    statesAndRaces(program, execution);
    controlSet(program, execution);
    LiveAgreement.check(execution.graph, random);
  }

  private static void pairing(Execution execution) {
    execution.outcomes.forEach(
        (receive, message) -> {
          int event = execution.receiveEvent(receive);
          assertThat(execution.messageName(execution.graph.pairing().message(event)))
              .as("message of receive %s", receive)
              .isEqualTo(message);
        });
  }

  private static void order(Execution execution, NaiveGraph naive) {
    boolean[] both = {false, true};
    for (int a = 0; a < execution.calls.size(); a++) {
      for (int i = 0; i < execution.calls.get(a).size(); i++) {
        for (int b = 0; b < execution.calls.size(); b++) {
          for (int j = 0; j < execution.calls.get(b).size(); j++) {
            for (boolean from : both) {
              for (boolean to : both) {
                boolean expected = naive.reaches(a, i, from, b, j, to);
                boolean found =
                    execution.graph.reaches(execution.event(a, i), from, execution.event(b, j), to);
                if (found != expected) {
                  throw new AssertionError(
                      "rank "
                          + a
                          + " call "
                          + i
                          + (from ? " return" : " entry")
                          + " to rank "
                          + b
                          + " call "
                          + j
                          + (to ? " return" : " entry")
                          + ": "
                          + found);
                }
              }
            }
          }
        }
      }
    }
  }

  /** Past, future, concurrency and the causal breakpoint of every call, by the naive order. */
  private static void pastAndFuture(Execution execution, NaiveGraph naive) {
    int ranks = execution.calls.size();
    for (int a = 0; a < ranks; a++) {
      for (int i = 0; i < execution.calls.get(a).size(); i++) {
        int[] past = new int[ranks];
        int[] future = new int[ranks];
        int event = execution.event(a, i);
        for (int b = 0; b < ranks; b++) {
          int size = execution.calls.get(b).size();
          future[b] = size;
          for (int j = size - 1; j >= 0; j--) {
            boolean before = naive.reaches(b, j, false, a, i, true);
            boolean after = naive.reaches(a, i, false, b, j, true);
            past[b] = before ? Math.max(past[b], j + 1) : past[b];
            future[b] = after ? j : future[b];
            int other = execution.event(b, j);
            boolean same = event == other;
            assertThat(execution.graph.happenedBefore(event, other))
                .isEqualTo(!same && after && !before);
            assertThat(execution.graph.concurrent(event, other)).isEqualTo(!after && !before);
            causalPath(execution, naive, event, other);
          }
        }
        assertThat(execution.graph.past(event))
            .as("past of rank %s, call %s", a, i)
            .isEqualTo(past);
        int[] found = execution.graph.future(event);
        for (int b = 0; b < ranks; b++) {
          // Behind the calls may stand what became of receives that nobody waited for.
          found[b] = Math.min(found[b], execution.calls.get(b).size());
        }
        assertThat(found).as("future of rank %s, call %s", a, i).isEqualTo(future);
        assertThat(execution.graph.breakpoint(event))
            .as("breakpoint of rank %s, call %s", a, i)
            .isEqualTo(naive.stop(past));
      }
    }
  }

  /** A path is there if and only if one call precedes the other, and each step of it is one. */
  private static void causalPath(Execution execution, NaiveGraph naive, int from, int to) {
    List<Integer> path = CausalPath.of(execution.graph, from, to);
    assertThat(path.isEmpty()).isNotEqualTo(execution.graph.precedes(from, to));
    if (path.isEmpty()) {
      return;
    }
    assertThat(path.getFirst()).isEqualTo(from);
    assertThat(path.getLast()).isEqualTo(to);
    EventTable events = execution.graph.events();
    for (int i = 0; i + 1 < path.size(); i++) {
      int a = path.get(i);
      int b = path.get(i + 1);
      if (events.rank(a) == events.rank(b)) {
        assertThat(a).as("the same rank").isLessThan(b);
      } else {
        assertThat(
                naive.reaches(
                    events.rank(a),
                    events.number(a),
                    false,
                    events.rank(b),
                    events.number(b),
                    true))
            .as("%s in %s", a, path)
            .isTrue();
        assertThat(i > 0 && events.rank(path.get(i - 1)) != events.rank(a) && a != from)
            .as("two messages in a row without a receive and a send: %s", path)
            .isFalse();
      }
    }
  }

  /** Every step is a rank's next call, or goes to a call that had to wait for this one. */
  private static void criticalPath(Execution execution, NaiveGraph naive, Random random) {
    int ranks = execution.calls.size();
    long[] origins = random.longs(ranks, 0, 50).toArray();
    EventTable events = execution.graph.events();
    List<CriticalPath.Link> path = CriticalPath.of(execution.graph, origins);
    for (int i = 0; i + 1 < path.size(); i++) {
      int from = path.get(i).event();
      int to = path.get(i + 1).event();
      if (path.get(i).handedOver()) {
        assertThat(events.rank(from)).isNotEqualTo(events.rank(to));
        assertThat(
                execution.graph.precedes(from, to)
                    && naive.reaches(
                        events.rank(from),
                        events.number(from),
                        false,
                        events.rank(to),
                        events.number(to),
                        true))
            .isTrue();
        assertThat(origins[events.rank(from)] + events.startNanos(from))
            .isGreaterThan(origins[events.rank(to)] + events.startNanos(to));
      } else {
        assertThat(to).isEqualTo(from + 1);
      }
    }
    if (events.size() > 0) {
      long latest = Long.MIN_VALUE;
      for (int e = 0; e < events.size(); e++) {
        latest = Math.max(latest, origins[events.rank(e)] + events.endNanos(e));
      }
      int last = path.getLast().event();
      assertThat(origins[events.rank(last)] + events.endNanos(last)).isEqualTo(latest);
      assertThat(events.number(path.getFirst().event())).isZero();
    }
  }

  /**
   * Explores what is reached by the execution's own outcomes, and what could go otherwise there.
   */
  private void statesAndRaces(Machine.Program program, Execution execution) {
    Machine own =
        new Machine(
            program,
            new Machine.Control() {
              @Override
              public boolean allows(int receive, int message) {
                return execution.outcomes.getOrDefault(receive, Machine.NONE) == message;
              }
            });
    Set<List<Integer>> possible = new TreeSet<>(Execution::compare);
    Set<Cut> reached = new HashSet<>();
    own.explore(
        Integer.MAX_VALUE,
        (state, _) -> {
          reached.add(new Cut(state.moments()));
          possible.addAll(own.possible(state));
        });
    possible.removeIf(
        pair -> {
          int message = execution.outcomes.getOrDefault(pair.get(0), Machine.NONE);
          return message == Machine.NONE || message == pair.get(1);
        });
    RaceList races = RaceList.of(execution.graph, 100);
    assertThat(races.uncertain()).isEmpty();
    assertThat(execution.races(races)).as("races").isEqualTo(possible);
    racing += possible.size();
    // With room for one alternative the others are counted, not looked at.
    RaceList counted = RaceList.of(execution.graph, 1);
    for (int i = 0; i < counted.size(); i++) {
      int receive = execution.receiveOf(counted.receive(i));
      assertThat(counted.alternatives(i))
          .as("alternatives of %s", receive)
          .isEqualTo(possible.stream().filter(pair -> pair.get(0) == receive).count());
    }
    cuts(execution, reached);
  }

  private static void cuts(Execution execution, Set<Cut> reached) {
    int ranks = execution.calls.size();
    int[] sizes = new int[ranks];
    long all = 1;
    for (int rank = 0; rank < ranks; rank++) {
      sizes[rank] = 2 * execution.calls.get(rank).size() + 1;
      all *= sizes[rank];
    }
    for (Cut cut : reached) {
      assertThat(execution.graph.isConsistent(cut)).as("reached %s", cut).isTrue();
    }
    for (long number = 0; number < Math.min(all, 4000); number++) {
      int[] moments = new int[ranks];
      long rest = number;
      for (int rank = 0; rank < ranks; rank++) {
        moments[rank] = (int) (rest % sizes[rank]);
        rest /= sizes[rank];
      }
      Cut cut = new Cut(moments);
      if (execution.graph.isConsistent(cut) != reached.contains(cut)) {
        throw new AssertionError(cut + " is reached: " + reached.contains(cut));
      }
      assertThat(Cuts.crossings(execution.graph, cut).isEmpty())
          .as("nothing crosses %s", cut)
          .isEqualTo(reached.contains(cut));
      if (number % 16 == 0) {
        assertThat(Cuts.within(execution.graph, cut))
            .as("the furthest cut within %s", cut)
            .isEqualTo(furthest(reached, cut));
      }
    }
  }

  /** Reached cuts have a union that is reached. */
  private static Cut furthest(Set<Cut> reached, Cut within) {
    int[] furthest = new int[within.moments().length];
    for (Cut cut : reached) {
      int[] moments = cut.moments();
      boolean inside = true;
      for (int rank = 0; rank < moments.length; rank++) {
        inside &= moments[rank] <= within.moments()[rank];
      }
      for (int rank = 0; inside && rank < moments.length; rank++) {
        furthest[rank] = Math.max(furthest[rank], moments[rank]);
      }
    }
    return new Cut(furthest);
  }

  private void controlSet(Machine.Program program, Execution execution) {
    Races control = Races.controlSet(execution.graph);
    List<Integer> forced = new ArrayList<>();
    control.receives().forEach(receive -> forced.add(execution.receiveOf(receive)));
    controlled += forced.size();
    assertThat(executions(program, execution, new HashSet<>(forced)))
        .as("executions when %s are forced", forced)
        .isEqualTo(1);
    for (int free : forced) {
      Set<Integer> fewer = new HashSet<>(forced);
      fewer.remove(free);
      assertThat(executions(program, execution, fewer))
          .as("executions when %s are forced", fewer)
          .isGreaterThan(1);
    }
    List<Integer> wild = wild(execution);
    if (wild.size() <= 4) {
      for (int set = 0; set < 1 << wild.size(); set++) {
        if (Integer.bitCount(set) < forced.size()) {
          Set<Integer> chosen = new HashSet<>();
          for (int i = 0; i < wild.size(); i++) {
            if ((set >> i & 1) != 0) {
              chosen.add(wild.get(i));
            }
          }
          assertThat(executions(program, execution, chosen))
              .as("executions when %s are forced", chosen)
              .isGreaterThan(1);
        }
      }
    }
  }

  private static List<Integer> wild(Execution execution) {
    List<Integer> wild = new ArrayList<>();
    for (List<Machine.Call> calls : execution.calls) {
      for (Machine.Call call : calls) {
        boolean receives =
            call.op() == Step.Op.RECV || call.op() == Step.Op.IRECV || call.op() == Step.Op.PROBE;
        if (receives && call.askedPeer() == Step.ANY) {
          wild.add(call.id());
        }
      }
    }
    return wild;
  }

  /** How many executions are left if these receives take the sources that they took. */
  private static int executions(Machine.Program program, Execution execution, Set<Integer> forced) {
    Machine machine =
        new Machine(
            program,
            new Machine.Control() {
              @Override
              public int source(int receive, int asked) {
                int message = execution.outcomes.getOrDefault(receive, Machine.NONE);
                return forced.contains(receive) && asked == Step.ANY && message != Machine.NONE
                    ? message / 100
                    : asked;
              }

              @Override
              public boolean allows(int receive, int message) {
                return execution.outcomes.getOrDefault(receive, message) != Machine.NONE;
              }
            });
    return machine.executions(Integer.MAX_VALUE).size();
  }
}
