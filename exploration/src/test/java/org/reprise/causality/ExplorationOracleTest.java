package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.reprise.causality.Step.ANY;
import static org.reprise.causality.Step.recv;
import static org.reprise.causality.Step.send;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reprise.exploration.Execution;
import org.reprise.exploration.Exploration;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * The search finds exactly the executions that the embedded engine enumerates, and runs each once.
 * The enumeration knows nothing of races: it tries whatever may happen at each point.
 */
class ExplorationOracleTest {
  private static final int EXECUTIONS_MAX = 60;

  /** More than any of the programs has polls. */
  private static final int POLL_FAILURES = 16;

  @TempDir Path directory;

  private int programs;
  private long classes;
  private long most;
  private int deadlocks;
  private int aborts;

  @Test
  void randomProgramsAreExploredEachClassOnce() throws Exception {
    long seed = Long.getLong("reprise.seed", 20_261_118L);
    System.out.println("random programs with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    int wanted = Integer.getInteger("reprise.programs", 120);
    while (programs < wanted) {
      check(program(random), random);
    }
    System.out.println(
        "%d programs, %d classes, at most %d of one, %d deadlocks"
            .formatted(programs, classes, most, deadlocks));
    assertThat(classes).as("classes").isGreaterThan(2L * programs);
    assertThat(deadlocks).as("deadlocks").isPositive();
  }

  @Test
  void programsOfASmallGrammarAreExploredEachClassOnce() throws Exception {
    long seed = Long.getLong("reprise.seed", 20_261_118L);
    System.out.println("programs of the grammar with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    int wanted = Integer.getInteger("reprise.programs", 80);
    while (programs < wanted) {
      check(SmallGrammar.program(random.nextInt(SmallGrammar.SIZE)), random);
    }
    assertThat(classes).isGreaterThan(2L * programs);
  }

  /**
   * Polls are told apart by their answers: as many failures in a row as the programs have polls.
   */
  @Test
  void answersOfPollsAreExploredEachClassOnce() throws Exception {
    long seed = Long.getLong("reprise.seed", 20_261_120L);
    System.out.println("programs that poll with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    int wanted = Integer.getInteger("reprise.programs", 40);
    while (programs < wanted) {
      Machine.Program program = RandomPrograms.program(random, true);
      boolean polls =
          program.ranks().stream()
              .flatMap(List::stream)
              .anyMatch(step -> step.op() == Step.Op.IPROBE || step.op() == Step.Op.TEST);
      if (polls && !isRooted(program)) {
        check(program, random, POLL_FAILURES);
      }
    }
    System.out.println(
        "%d programs that poll, %d classes, at most %d of one, %d deadlocks"
            .formatted(programs, classes, most, deadlocks));
    assertThat(classes).isGreaterThan(3L * programs);
  }

  /**
   * A rank that aborts ends the others when none of them can go on. Then its run is as whole as one
   * in which the rank just ends there, which is what the enumeration is shown.
   */
  @Test
  void programsThatAbortAreExploredEachClassOnce() throws Exception {
    long seed = Long.getLong("reprise.seed", 20_261_118L);
    System.out.println("programs that abort with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    int wanted = Integer.getInteger("reprise.programs", 100);
    while (programs < wanted) {
      check(aborting(program(random), random), random);
    }
    System.out.println("%d programs, %d aborts".formatted(programs, aborts));
    assertThat(aborts).as("aborts").isGreaterThan(programs / 3);
  }

  /** After some receive a rank aborts, always or if the message is a certain one's. */
  private static Machine.Program aborting(Machine.Program program, Random random) {
    List<List<Step>> ranks = new ArrayList<>();
    for (List<Step> steps : program.ranks()) {
      List<Step> own = new ArrayList<>(steps);
      List<Integer> behind = new ArrayList<>();
      for (int at = 0; at < steps.size(); at++) {
        switch (steps.get(at).op()) {
          case RECV, WAIT, PROBE -> behind.add(at + 1);
          default -> {}
        }
      }
      boolean branches = steps.stream().anyMatch(step -> step.op() == Step.Op.UNLESS);
      if (!behind.isEmpty() && !branches && random.nextInt(3) != 0) {
        int at = behind.get(random.nextInt(behind.size()));
        own.add(at, Step.abort());
        if (random.nextInt(4) != 0) {
          own.add(at, Step.unless(random.nextInt(program.ranks().size()), 1));
        }
      }
      ranks.add(own);
    }
    return new Machine.Program(ranks);
  }

  /** What a program's independent parts do is not multiplied by the order they do it in. */
  @Test
  void independentPairsAreOneExecution() throws Exception {
    List<List<Step>> pairs = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      pairs.add(List.of(recv(ANY, 0)));
      pairs.add(List.of(send(2 * i, 0)));
    }
    assertThat(explore(new Machine.Program(pairs), new Random(1)).executions()).isEqualTo(1);
  }

  /** Groups of two senders: each of the n groups has two orders, and there are 2^n executions. */
  @Test
  void independentGroupsAreTheirProductAndNoMore() throws Exception {
    List<List<Step>> groups = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      groups.add(List.of(recv(ANY, 0), recv(ANY, 0)));
      groups.add(List.of(send(3 * i, 0)));
      groups.add(List.of(send(3 * i, 0)));
    }
    Exploration done = explore(new Machine.Program(groups), new Random(1));
    assertThat(done.classes()).isEqualTo(32);
    assertThat(done.executions()).isEqualTo(32);
  }

  /**
   * At most so many outcomes other than in the first run: all executions within the bound are
   * found.
   */
  @Test
  void aBoundKeepsAllExecutionsWithinIt() throws Exception {
    long seed = Long.getLong("reprise.seed", 20_261_119L);
    System.out.println("bounded searches with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    int wanted = Integer.getInteger("reprise.programs", 40);
    long within = 0;
    while (programs < wanted) {
      Machine.Program program = program(random);
      Set<Set<String>> all = SmallProgram.executions(program);
      if (all.size() < 4 || all.size() > EXECUTIONS_MAX || !isComparable(program)) {
        continue;
      }
      programs++;
      int bound = 1 + random.nextInt(2);
      try (FollowedProgram runs = new FollowedProgram(program, directory)) {
        Set<Set<String>> seen = new HashSet<>();
        Exploration exploration =
            new Exploration(
                new Exploration.Request(
                    OptionalInt.of(bound), preference(random), random::nextInt));
        List<Set<String>> inOrder = run(runs, exploration, seen);
        Map<String, String> first = byDecision(inOrder.getFirst());
        for (Set<String> each : all) {
          long other =
              byDecision(each).entrySet().stream()
                  .filter(one -> first.containsKey(one.getKey()))
                  .filter(one -> !one.getValue().equals(first.get(one.getKey())))
                  .count();
          if (other <= bound) {
            within++;
            assertThat(seen).as("bound %d of %s", bound, program).contains(each);
          }
        }
      }
    }
    System.out.println(within + " executions within their bounds");
  }

  /**
   * What a receive took counts in the bound, and is seen here only once it was waited for; and only
   * decisions that are the same in all executions can be compared one by one.
   */
  private static boolean isComparable(Machine.Program program) {
    return program.ranks().stream()
        .flatMap(List::stream)
        .noneMatch(step -> step.op() == Step.Op.IRECV || step.op() == Step.Op.UNLESS);
  }

  /**
   * The engine waits in collectives that carry no data, where MPI need not: those are left out, as
   * the programs here send nothing.
   */
  private static Machine.Program program(Random random) {
    while (true) {
      Machine.Program program = RandomPrograms.program(random);
      if (!isRooted(program)) {
        return program;
      }
    }
  }

  private static boolean isRooted(Machine.Program program) {
    return program.ranks().stream()
        .flatMap(List::stream)
        .anyMatch(step -> step.op() == Step.Op.BCAST || step.op() == Step.Op.REDUCE);
  }

  private static Map<String, String> byDecision(Set<String> key) {
    Map<String, String> decided = new HashMap<>();
    key.forEach(
        each ->
            decided.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('='))));
    return decided;
  }

  private void check(Machine.Program program, Random random) throws Exception {
    check(program, random, 0);
  }

  private void check(Machine.Program program, Random random, int polls) throws Exception {
    Set<Set<String>> all =
        polls > 0 ? SmallProgram.executions(program, polls) : SmallProgram.executions(program);
    if (all.size() < 2 || all.size() > EXECUTIONS_MAX) {
      return;
    }
    programs++;
    try (FollowedProgram runs = new FollowedProgram(program, directory, polls)) {
      Exploration exploration =
          new Exploration(
              new Exploration.Request(OptionalInt.empty(), preference(random), random::nextInt)
                  .withPolls(polls));
      Set<Set<String>> seen = new HashSet<>();
      run(runs, exploration, seen);
      assertThat(seen).as("executions of %s", program).isEqualTo(all);
      assertThat(exploration.redundant()).as("runs of a class seen before: %s", program).isZero();
      assertThat(exploration.notFollowed()).as("plans not followed: %s", program).isZero();
      assertThat(exploration.isComplete()).isTrue();
      classes += exploration.classes();
      most = Math.max(most, exploration.classes());
      deadlocks += runs.deadlocks();
      aborts += runs.aborts();
    }
  }

  /** What is found does not depend on which plan comes first. */
  private static Exploration.Preference preference(Random random) {
    Exploration.Preference[] all = Exploration.Preference.values();
    return all[random.nextInt(all.length)];
  }

  private Exploration explore(Machine.Program program, Random random) throws Exception {
    try (FollowedProgram runs = new FollowedProgram(program, directory)) {
      Exploration exploration =
          new Exploration(
              new Exploration.Request(OptionalInt.empty(), preference(random), random::nextInt));
      run(runs, exploration, new HashSet<>());
      return exploration;
    }
  }

  private static List<Set<String>> run(
      FollowedProgram runs, Exploration exploration, Set<Set<String>> seen) throws Exception {
    List<Set<String>> inOrder = new ArrayList<>();
    Optional<Exploration.Planned> next = Optional.empty();
    do {
      var traces = runs.run(next);
      exploration.add(next, traces, Optional.empty(), FollowedProgram.NUMBERING);
      Set<String> key = key(Execution.of(traces, FollowedProgram.NUMBERING));
      seen.add(key);
      inOrder.add(key);
      next = exploration.next();
    } while (next.isPresent());
    return inOrder;
  }

  /** What every receive and probe of any source came to that told its program of it. */
  private static Set<String> key(Execution execution) {
    Set<String> key = new TreeSet<>();
    EventTable events = execution.graph().events();
    for (int rank = 0; rank < events.ranks(); rank++) {
      int receives = 0;
      int probes = 0;
      int polls = 0;
      for (int e = events.first(rank); e < events.first(rank) + events.size(rank); e++) {
        boolean failed = events.kind(e) == EventKind.POLLS;
        if (failed || !events.kind(e).isCollective() && events.is(e, EventFlag.POLL)) {
          key.add(rank + ":t" + polls++ + (failed ? "=no" : "=yes"));
        }
        switch (events.kind(e)) {
          case RECV, POST_RECV -> {
            boolean told = MatchOrder.completion(events, e) < Integer.MAX_VALUE;
            int message = execution.graph().pairing().message(e);
            if (events.is(e, EventFlag.ANY_SOURCE) && told && message >= 0) {
              int from = events.rank(execution.graph().pairing().send(message));
              key.add(rank + ":" + receives + "=" + from);
            }
            receives++;
          }
          case PROBE -> key.add(rank + ":p" + probes++ + "=" + events.peer(e));
          default -> {}
        }
      }
    }
    return key;
  }
}
