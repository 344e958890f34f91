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
   * Rank 0 makes three receives, ranks 1 and 2 send three messages; all patterns, blocking or not,
   * all tags, waits in either order, and the last message free or sent after rank 0's second
   * receive.
   */
  @Test
  void allProgramsOfASmallGrammarAgreeWithTheModel() {
    Random random = new Random(1);
    int each = Integer.getInteger("reprise.grammarEach", 41);
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
    order(execution);
    statesAndRaces(program, execution);
    controlSet(program, execution);
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

  private static void order(Execution execution) {
    NaiveGraph naive = new NaiveGraph(execution);
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
    Races races = Races.of(execution.graph, 100);
    assertThat(races.uncertain()).isEmpty();
    assertThat(execution.races(races)).as("races").isEqualTo(possible);
    racing += possible.size();
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
    }
  }

  private void controlSet(Machine.Program program, Execution execution) {
    Races control = Races.controlSet(execution.graph);
    List<Integer> forced = new ArrayList<>();
    for (int i = 0; i < control.size(); i++) {
      forced.add(execution.receiveOf(control.receive(i)));
    }
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
