package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.hooks.Hooks;
import org.reprise.anomaly.hooks.Indices;
import org.reprise.anomaly.report.Conflict;

/**
 * Loops that access arrays through indices, against a list of every access: some statements have
 * the elements of an iteration for themselves, some share a few; others access ranges beside them;
 * and some iterations fork tasks, from which on nothing is deferred.
 */
class StampedTest {
  private static final int PROGRAMS = 200;
  private static final int ARRAYS = 3;
  private static final int LENGTH = 500;
  private static final int THREADS = 3;
  private static final int PER_ITERATION = 3;
  private static final int ITERATIONS = LENGTH / PER_ITERATION;

  @Test
  void loopsThroughIndicesHaveTheAnomaliesThatComparingEveryAccessFinds() {
    int anomalous = 0;
    int stamped = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Program program = new Program(seed);
      program.run();
      assertThat(program.found()).as("seed %d", seed).isEqualTo(program.expected);
      anomalous += program.expected.isEmpty() ? 0 : 1;
      stamped += program.stamped > 0 ? 1 : 0;
    }
    assertThat(anomalous).isBetween(PROGRAMS / 5, PROGRAMS * 4 / 5);
    assertThat(stamped).isGreaterThan(PROGRAMS / 2);
  }

  /**
   * One statement of the loop's body.
   *
   * @param shift how far an iteration's elements are from those that are its own
   * @param strayed an iteration that accesses an element of another one, or none
   * @param isConstant whether the indices are in an array that nobody writes any more
   */
  private record Statement(
      int array,
      int site,
      boolean isWrite,
      boolean isRange,
      int shift,
      int strayed,
      boolean isConstant) {}

  private record Element(int array, int index) {}

  /** Who accessed an element: an iteration, and whether it wrote. */
  private record Access(int iteration, boolean isWrite) {}

  private static final class Program {
    private final Random random;
    private final Sites sites = new Sites();
    private final Findings findings = new Findings();
    private final AnomalyDetector detector =
        new AnomalyDetector(sites, new Variables(), findings, false);
    private final double[][] arrays = new double[ARRAYS][LENGTH];
    private final List<Integer> order =
        new ArrayList<>(IntStream.range(0, LENGTH).boxed().toList());
    private final List<Statement> statements = new ArrayList<>();
    private final Map<Element, List<Access>> accesses = new HashMap<>();
    private final Set<String> expected = new TreeSet<>();
    private final int forking;

    /** Whether only the last loop writes, so that nobody asked before what was read. */
    private final boolean readsFirst;

    private int stamped;

    Program(long seed) {
      random = new Random(seed);
      Collections.shuffle(order, random);
      forking = random.nextInt(4) == 0 ? random.nextInt(ITERATIONS) : -1;
      readsFirst = random.nextBoolean();
      for (int i = 0; i < 4; i++) {
        int array = random.nextInt(ARRAYS);
        boolean isRead = random.nextInt(2) == 0;
        statements.add(
            new Statement(
                array,
                sites.add(new Site("V", "m", "V.java", i, "v" + array, "")),
                !isRead,
                random.nextInt(6) == 0,
                isRead && random.nextInt(6) == 0 ? 1 : 0,
                random.nextInt(6) == 0 ? random.nextInt(ITERATIONS) : -1,
                random.nextBoolean()));
      }
    }

    void run() {
      List<Checker> threads = new ArrayList<>(List.of(detector.first()));
      while (threads.size() < THREADS) {
        threads.add(detector.checker(Fork.NOWHERE));
      }
      for (int loops = 3; loops > 0; loops--) {
        accesses.clear();
        loop(threads, loops == 1);
      }
      detector.finish();
    }

    private void loop(List<Checker> threads, boolean isLast) {
      Fork loop = detector.first().forkLoop(new Origin(Origin.Kind.LOOP, ""));
      int[] next = new int[THREADS];
      int[] end = new int[THREADS];
      int[] tag = new int[THREADS];
      boolean[] isInside = new boolean[THREADS];
      int taken = 0;
      int done = 0;
      while (done < ITERATIONS) {
        int t = random.nextInt(THREADS);
        Checker thread = threads.get(t);
        if (next[t] == end[t]) {
          if (taken == ITERATIONS) {
            continue;
          }
          next[t] = taken;
          end[t] = Math.min(ITERATIONS, taken + 1 + random.nextInt(60));
          taken = end[t];
          tag[t] = thread.pushIterations(loop, end[t] - next[t], next[t]);
        }
        for (int halves = 1 + random.nextInt(60); halves > 0 && next[t] < end[t]; halves--) {
          if (isInside[t]) {
            execute(statements.subList(2, 4), thread, next[t]++, isLast);
            done++;
          } else {
            thread.iterate(loop, tag[t]++);
            execute(statements.subList(0, 2), thread, next[t], isLast);
          }
          isInside[t] = !isInside[t];
        }
        if (next[t] == end[t]) {
          thread.pop();
        }
      }
      stamped += threads.stream().mapToInt(thread -> thread.log.stamped().size()).sum();
      detector.first().join(loop);
    }

    private void execute(List<Statement> some, Checker thread, int iteration, boolean isLast) {
      for (Statement statement : some) {
        if (readsFirst && !isLast && statement.isWrite()) {
          continue;
        }
        if (isLast && iteration == forking && statement == statements.get(1)) {
          thread.fork(new Origin(Origin.Kind.TASK, ""));
          // What it did before is ordered before what it does again.
          execute(statements.subList(0, 1), thread, iteration, false);
        }
        if (statement.isRange()) {
          range(thread, statement, iteration);
        } else {
          elements(thread, statement, iteration, isLast);
        }
      }
    }

    private void range(Checker thread, Statement statement, int iteration) {
      int from = iteration * PER_ITERATION;
      for (int k = 0; k < PER_ITERATION; k++) {
        note(statement, from + k, iteration);
      }
      double[] array = arrays[statement.array()];
      int to = from + PER_ITERATION;
      int number = 2 * statement.site() + (statement.isWrite() ? 1 : 0);
      if (!thread.goesOn(array, from, to, 1, number)) {
        if (statement.isWrite()) {
          detector.writeRange(array, from, to, 1, statement.site(), thread);
        } else {
          detector.readRange(array, from, to, 1, statement.site(), thread);
        }
      }
    }

    private void elements(Checker thread, Statement statement, int iteration, boolean isLast) {
      int[] list = new int[PER_ITERATION];
      for (int k = 0; k < PER_ITERATION; k++) {
        // Only the last loop has anomalies: by then it is stamps that tell.
        boolean strays = isLast && iteration == statement.strayed() && k == 1;
        int shift = (isLast ? statement.shift() : 0) + (strays ? 7 : 0);
        int place = (iteration + shift) * PER_ITERATION + k;
        list[k] = order.get(place % LENGTH);
        note(statement, list[k], iteration);
      }
      if (statement.isConstant()) {
        constant(thread, statement, list);
      } else {
        Indices indices = Hooks.indices(statement.isWrite(), statement.site(), thread);
        for (int index : list) {
          Hooks.add(arrays[statement.array()], index, indices);
        }
        Hooks.report(indices);
      }
    }

    /** One list after the other, so that those after the first are not looked at at once. */
    private void constant(Checker thread, Statement statement, int[] list) {
      double[] array = arrays[statement.array()];
      int site = statement.site();
      int[][] lists = {{list[0], -1}, {list[1], -1}, {list[2], -1}};
      for (int[] each : lists) {
        if (statement.isWrite()) {
          Hooks.writeThrough(array, each, 0, 1, 1, true, site, thread);
        } else {
          Hooks.readThrough(array, each, 0, 1, 1, true, site, thread);
        }
      }
    }

    private void note(Statement statement, int index, int iteration) {
      List<Access> all =
          accesses.computeIfAbsent(new Element(statement.array(), index), any -> new ArrayList<>());
      for (Access other : all) {
        if (other.iteration() != iteration && (other.isWrite() || statement.isWrite())) {
          expected.add("v" + statement.array() + "[*]");
        }
      }
      all.add(new Access(iteration, statement.isWrite()));
    }

    Set<String> found() {
      return findings.conflicts().stream()
          .map(Conflict::variable)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
