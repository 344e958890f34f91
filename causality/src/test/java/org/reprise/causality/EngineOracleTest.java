package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.causality.Step.ANY;
import static org.reprise.causality.Step.await;
import static org.reprise.causality.Step.irecv;
import static org.reprise.causality.Step.recv;
import static org.reprise.causality.Step.send;
import static org.reprise.causality.Step.ssend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.reprise.causality.live.LiveAgreement;
import org.reprise.ranks.Laboratory;
import org.reprise.ranks.Laboratory.Match;

/**
 * What is said of an execution agrees with what the embedded engine does: it goes through all
 * states that the execution's own outcomes lead to. A failure prints the program; a seed makes the
 * random ones again.
 */
class EngineOracleTest {
  private static final int EXECUTIONS_MAX = 12;

  /** Of so many executions of a program the states are looked at one by one. */
  private static final int EXECUTIONS_WALKED = 2;

  /** So often the same poll may fail in a row: more often than a program here asks. */
  private static final int POLLS_MAX = 16;

  private static final int FEW_WILDCARDS = 4;

  private int executions;
  private int racing;
  private int probing;
  private int controlled;
  private int walked;
  private int smaller;
  private Random random = new Random(1);

  @Test
  void randomProgramsAgreeWithTheEngine() {
    agree(Integer.getInteger("reprise.programs", 2000), false);
  }

  /** Failed polls order nothing; what a poll saw or completed is told like what a wait did. */
  @Test
  void randomProgramsThatPollAgreeWithTheEngine() {
    agree(Integer.getInteger("reprise.programs", 1000), true);
  }

  private void agree(int programs, boolean polls) {
    long seed = Long.getLong("reprise.seed", 20_250_105L);
    System.out.println("random programs with -Dreprise.seed=" + seed);
    random = new Random(seed);
    for (int i = 0; i < programs; i++) {
      check(RandomPrograms.program(random, polls));
    }
    System.out.println(
        "%d executions, %d races, %d of probes, %d receives to force, %d cuts, %d smaller sets"
            .formatted(executions, racing, probing, controlled, walked, smaller));
    assertThat(walked).as("cuts").isGreaterThan(programs);
    assertThat(smaller).as("smaller sets").isGreaterThan(programs / 8);
    assertThat(racing).as("races met").isGreaterThan(programs / 4);
    assertThat(probing).as("races of probes met").isPositive();
    assertThat(controlled).as("receives to force").isGreaterThan(programs / 4);
  }

  @Test
  void programsOfASmallGrammarAgreeWithTheEngine() {
    int each = Integer.getInteger("reprise.grammarEach", 163);
    for (int number = 0; number < SmallGrammar.SIZE; number += each) {
      check(SmallGrammar.program(number));
    }
    assertThat(racing).isGreaterThan(50);
  }

  @Test
  void theTriangleRaces() {
    check(
        program(
            List.of(recv(ANY, 0), recv(ANY, 0)),
            List.of(send(0, 0), send(2, 0)),
            List.of(recv(1, 0), send(0, 0))));
    assertThat(executions).isEqualTo(2);
    assertThat(racing).as("one race in either").isEqualTo(2);
  }

  @Test
  void aLaterReceivesCompletionEndsTheRace() {
    check(
        program(
            List.of(
                irecv(ANY, 0, 1), irecv(ANY, 0, 2), await(2), send(2, 0), await(1), recv(ANY, 0)),
            List.of(send(0, 0), send(0, 0)),
            List.of(recv(0, 0), send(0, 0))));
    assertThat(executions).isEqualTo(1);
    assertThat(racing).isZero();
  }

  @Test
  void aSynchronousSendsCompletionEndsTheRace() {
    List<Step> receiver = List.of(irecv(ANY, 0, 1), await(1), recv(ANY, 0));
    List<Step> third = List.of(recv(1, 0), send(0, 0));
    check(program(receiver, List.of(ssend(0, 0), send(2, 0)), third));
    assertThat(executions).isEqualTo(1);
    assertThat(racing).isZero();
    check(program(receiver, List.of(send(0, 0), send(2, 0)), third));
    assertThat(racing).as("a standard send promises nothing").isEqualTo(2);
  }

  @Test
  void anEarlierReceiveAbsorbsTheMessageUnlessItIsForced() {
    Machine.Program program =
        program(
            List.of(irecv(ANY, 5, 1), recv(ANY, ANY), send(3, 0), await(1), recv(ANY, 5)),
            List.of(send(0, 6)),
            List.of(send(0, 5)),
            List.of(recv(0, 0), send(0, 5)));
    check(program);
    Laboratory laboratory = laboratory(program, new EngineProgram(program));
    Observed absorbing =
        laboratory.all().stream()
            .filter(execution -> execution.result().succeeded())
            .map(execution -> new Observed(4, execution))
            .filter(one -> one.outcomes.equals(Map.of(0, 300, 1, 100, 2, 200, 300, 0)))
            .findFirst()
            .orElseThrow();
    assertThat(absorbing.races().matches()).hasSize(1);
    assertThat(absorbing.controlSet()).containsExactly(0, 1);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static Machine.Program program(List<Step>... ranks) {
    return new Machine.Program(List.of(ranks));
  }

  private static Laboratory laboratory(Machine.Program program, EngineProgram form) {
    return new Laboratory(new Laboratory.Setting(program.ranks().size(), false, POLLS_MAX), form);
  }

  private void check(Machine.Program program) {
    Laboratory laboratory = laboratory(program, new EngineProgram(program));
    List<Laboratory.Observation> all =
        laboratory.all().stream()
            .filter(execution -> execution.result().succeeded())
            .limit(EXECUTIONS_MAX)
            .toList();
    for (int i = 0; i < all.size(); i++) {
      Laboratory.Observation execution = all.get(i);
      Observed observed = new Observed(program.ranks().size(), execution);
      try {
        check(program, laboratory, execution, observed);
        if (i < EXECUTIONS_WALKED) {
          cuts(program, laboratory, execution, observed);
        }
      } catch (Throwable t) {
        throw new AssertionError(
            "%s%nwith %s and polls %s%n%s"
                .formatted(program, execution.matches(), observed.polls, t.getMessage()),
            t);
      }
    }
  }

  private void check(
      Machine.Program program,
      Laboratory laboratory,
      Laboratory.Observation execution,
      Observed observed) {
    executions++;
    assertThat(observed.graph.notices()).isEmpty();
    pairing(observed, execution);
    order(observed);
    races(observed, laboratory, execution);
    controlSet(program, observed);
    LiveAgreement.check(observed.graph, random);
  }

  private static void pairing(Observed observed, Laboratory.Observation execution) {
    Pairing pairing = observed.graph.pairing();
    Set<Match> paired = new HashSet<>();
    execution
        .matches()
        .forEach(
            (receive, message) -> {
              int found = pairing.message(observed.event(receive));
              assertThat(found).as("message of %s", receive).isNotEqualTo(Pairing.NONE);
              paired.add(new Match(receive, observed.message(pairing.send(found))));
            });
    assertThat(paired).as("pairing").isEqualTo(own(execution));
    long received = 0;
    for (int message = 0; message < pairing.messages(); message++) {
      received += pairing.receive(message) == Pairing.NONE ? 0 : 1;
    }
    assertThat(received).as("messages received").isEqualTo(paired.size());
  }

  private static Set<Match> own(Laboratory.Observation execution) {
    Set<Match> own = new HashSet<>();
    execution.matches().forEach((receive, message) -> own.add(new Match(receive, message)));
    return own;
  }

  /** The engine's own way through the execution leads along consistent cuts. */
  private static void order(Observed observed) {
    for (Cut cut : observed.passed) {
      assertThat(observed.graph.isConsistent(cut)).as("passed through %s", cut).isTrue();
    }
  }

  /**
   * A question to the engine: if each rank may make so many calls and takes only its own outcomes,
   * does each return from as many as it must?
   */
  private record Walk(EngineProgram part, int[] must, boolean expected, String why) {
    Walk(Machine.Program program, int[] calls, int[] must, boolean expected, String why) {
      this(EngineProgram.upTo(program, calls), must, expected, why);
    }

    boolean reached() {
      for (int rank = 0; rank < must.length; rank++) {
        if (part.returned[rank] < must[rank]) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * The engine reaches every cut that is called consistent, and no other. Each such cut is a union
   * of breakpoints, and outcomes of one execution do not disturb each other: so it is enough that
   * the engine comes to the breakpoint of every call, and that the call does not return where
   * another rank stops one call earlier. Some cuts are drawn besides.
   */
  private void cuts(
      Machine.Program program,
      Laboratory laboratory,
      Laboratory.Observation execution,
      Observed observed) {
    EventGraph graph = observed.graph;
    int ranks = observed.calls.length;
    List<Walk> walks = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      for (int call = 0; call < observed.calls[rank]; call++) {
        int event = graph.events().event(rank, call);
        walks.add(walk(program, graph.breakpoint(event), true));
        int[] past = graph.past(event);
        for (int other = 0; other < ranks; other++) {
          if (other != rank && past[other] > 0) {
            int[] fewer = observed.calls.clone();
            fewer[other] = past[other] - 1;
            int[] must = new int[ranks];
            must[rank] = call + 1;
            String why = "rank " + rank + " call " + call + " without rank " + other;
            walks.add(new Walk(program, fewer, must, false, why));
          }
        }
      }
    }
    for (int i = 0; i < 8; i++) {
      Cut cut =
          new Cut(Arrays.stream(observed.calls).map(n -> random.nextInt(2 * n + 1)).toArray());
      walks.add(walk(program, cut, graph.isConsistent(cut)));
    }
    laboratory.follow(execution, walks.stream().map(Walk::part).toList());
    for (Walk walk : walks) {
      assertThat(walk.reached()).as("reached: %s", walk.why).isEqualTo(walk.expected);
    }
    walked += walks.size();
  }

  private static Walk walk(Machine.Program program, Cut cut, boolean expected) {
    int[] begun = new int[cut.moments().length];
    int[] returned = new int[begun.length];
    for (int rank = 0; rank < begun.length; rank++) {
      begun[rank] = cut.begun(rank);
      returned[rank] = cut.returned(rank);
    }
    return new Walk(program, begun, returned, expected, cut.toString());
  }

  private void races(Observed observed, Laboratory laboratory, Laboratory.Observation execution) {
    Laboratory.Possible along = laboratory.possibleAlong(execution);
    Set<Match> possible = new HashSet<>(along.matches());
    possible.removeIf(match -> !execution.matches().containsKey(match.receive()));
    possible.removeAll(own(execution));
    assertThat(observed.races().matches()).as("races").isEqualTo(possible);
    racing += possible.size();
    Set<Laboratory.Sight> visible = new HashSet<>(along.sights());
    assertThat(visible).as("what probes see").containsAll(observed.sights);
    visible.removeAll(observed.sights);
    assertThat(observed.races().sights()).as("races of probes").isEqualTo(visible);
    probing += visible.size();
  }

  private void controlSet(Machine.Program program, Observed observed) {
    if (!observed.waitedForAll()) {
      // The engine leaves open what a receive gets that nobody asks for; the control set does not.
      return;
    }
    Set<Integer> control = observed.controlSet();
    controlled += control.size();
    assertThat(ends(program, observed, control))
        .as("executions when %s are forced", control)
        .containsExactly(observed.outcomes);
    for (int free : control) {
      Set<Integer> fewer = new TreeSet<>(control);
      fewer.remove(free);
      assertThat(ends(program, observed, fewer))
          .as("executions when only %s are forced", fewer)
          .hasSizeGreaterThan(1);
    }
    List<Integer> wild = observed.wild();
    if (wild.size() > FEW_WILDCARDS) {
      return;
    }
    for (int set = 0; set < 1 << wild.size(); set++) {
      if (Integer.bitCount(set) < control.size()) {
        Set<Integer> chosen = new TreeSet<>();
        for (int i = 0; i < wild.size(); i++) {
          if ((set >> i & 1) != 0) {
            chosen.add(wild.get(i));
          }
        }
        smaller++;
        assertThat(ends(program, observed, chosen))
            .as("executions when %s are forced, fewer than %s", chosen, control)
            .hasSizeGreaterThan(1);
      }
    }
  }

  /** The ways to end if these receives and probes take the sources that they took. */
  private static Set<Map<Integer, Integer>> ends(
      Machine.Program program, Observed observed, Set<Integer> forced) {
    Map<Integer, Integer> sources = new HashMap<>();
    observed.outcomes.forEach(
        (receive, message) -> {
          if (message == Machine.NONE) {
            sources.put(receive, Machine.NONE);
          } else if (forced.contains(receive)) {
            sources.put(receive, message / 100);
          }
        });
    Set<Map<Integer, Integer>> ends = new HashSet<>();
    for (Laboratory.Observation execution :
        laboratory(program, new EngineProgram(program, sources, observed.polls)).all()) {
      // One that does not come to its end is another one, whatever it had received.
      ends.add(
          execution.result().succeeded()
              ? new Observed(program.ranks().size(), execution).outcomes
              : Map.of());
    }
    return ends;
  }
}
