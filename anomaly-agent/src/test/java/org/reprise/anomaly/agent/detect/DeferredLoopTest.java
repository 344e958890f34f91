package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.instrument.program.Bundle;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.report.Conflict;

/**
 * Loops over rows of matrices against a detector that keeps every element of every iteration: rows
 * that move with the iteration or rest, columns that move, take turns or rest, strides, single
 * elements here and there; shared out among threads that take turns. Matrix by matrix both must
 * agree.
 */
class DeferredLoopTest {
  private static final int PROGRAMS = 1000;
  private static final int MATRICES = 3;
  private static final int ROWS = 150;
  private static final int COLUMNS = 24;
  private static final int THREADS = 3;

  @Test
  void loopsOverRowsHaveTheAnomaliesThatComparingEveryElementFinds() {
    int anomalous = 0;
    int expectedly = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Program program = new Program(seed);
      Set<String> expected = program.run();
      assertThat(program.found()).as("seed %d", seed).isEqualTo(expected);
      anomalous += expected.isEmpty() ? 0 : 1;
      expectedly += program.expectedly;
    }
    assertThat(expectedly).as("accesses as expected").isGreaterThan(50 * PROGRAMS);
    assertThat(anomalous).isBetween(PROGRAMS / 10, PROGRAMS * 19 / 20);
  }

  @Test
  void whatAStatementDidInOneLeafIsExpectedFromTheSecondIterationOfTheNextOn() {
    Sites sites = new Sites();
    AnomalyDetector detector = new AnomalyDetector(sites, new Variables(), new Findings(), false);
    int site = sites.add(new Site("V", "m", "V.java", 1, "m", ""));
    int[][] rows = new int[20][COLUMNS];
    Checker thread = detector.first();
    List<Integer> unexpected = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      unexpected.clear();
      Fork loop = thread.forkLoop(new Origin(Origin.Kind.LOOP, ""));
      for (int leaf = 0; leaf < rows.length; leaf += 10) {
        int tag = thread.pushIterations(loop, 10, leaf);
        for (int i = leaf; i < leaf + 10; i++) {
          thread.iterate(loop, tag++);
          if (!thread.goesOn(rows[i], 2, 9, 1, 2 * site)) {
            detector.readRange(rows[i], 2, 9, 1, site, thread);
            unexpected.add(i);
          }
        }
        thread.pop();
      }
      thread.join(loop);
    }

    assertThat(unexpected).as("when all rows are known").containsExactly(0, 10);
  }

  @Test
  void aStatementThatTurnsToOtherRowsIsExpectedToGoOnThere() {
    Sites sites = new Sites();
    AnomalyDetector detector = new AnomalyDetector(sites, new Variables(), new Findings(), false);
    int site = sites.add(new Site("V", "m", "V.java", 1, "m", ""));
    int[][] rows = new int[20][COLUMNS];
    Checker thread = detector.first();
    for (int i = 0; i < 20; i++) {
      // The second half is known before the first.
      thread.shadow(rows[(i + 10) % 20]);
    }
    List<Integer> unexpected = new ArrayList<>();
    Fork loop = thread.forkLoop(new Origin(Origin.Kind.LOOP, ""));
    int tag = thread.pushIterations(loop, 20, 0);
    for (int i = 0; i < 20; i++) {
      thread.iterate(loop, tag++);
      if (!thread.goesOn(rows[i], 2, 9, 1, 2 * site)) {
        detector.readRange(rows[i], 2, 9, 1, site, thread);
        unexpected.add(i);
      }
    }
    thread.pop();
    thread.join(loop);

    assertThat(unexpected).containsExactly(0, 1, 2, 10);
  }

  @Test
  void statementsThatAreToldAtOnceAreReportedOneByOne() {
    // Another thread's iteration reads the first element, another one, and the one behind the last.
    assertThat(conflictsOfBundle(2, false)).containsExactly("2 with 4");
    assertThat(conflictsOfBundle(5, false)).containsExactly("3 with 4");
    assertThat(conflictsOfBundle(9, false)).isEmpty();
    assertThat(conflictsOfBundle(2, true)).as("not deferred").containsExactly("2 with 4");
    assertThat(conflictsOfBundle(5, true)).as("not deferred").containsExactly("3 with 4");
    assertThat(conflictsOfBundle(9, true)).as("not deferred").isEmpty();
  }

  @Test
  void aLoopIsLookedAtWhenTheNextOneRunsOrTheProgramEnds() {
    Findings findings = new Findings();
    Sites sites = new Sites();
    AnomalyDetector detector = new AnomalyDetector(sites, new Variables(), findings, false);
    Checker thread = detector.first();
    int[] shared = new int[COLUMNS];
    List<String> expected = new ArrayList<>();
    for (int line = 1; line <= 3; line++) {
      int site = sites.add(new Site("V", "m", "V.java", line, "m", "v" + line));
      Fork loop = thread.forkLoop(new Origin(Origin.Kind.LOOP, "V.java:" + line));
      int tag = thread.pushIterations(loop, 10_000, 0); // more than a page of tags
      assertThat(sinks(findings)).as("in loop %d", line).isEqualTo(expected);
      for (int i = 0; i < 2; i++) {
        thread.iterate(loop, tag++);
        detector.writeElement(shared, 5, site, thread);
      }
      thread.pop();
      thread.join(loop);
      expected.add("iteration 1 of the loop at V.java:" + line);
    }
    detector.finish();
    assertThat(sinks(findings)).isEqualTo(expected);
  }

  private static List<String> sinks(Findings findings) {
    return findings.conflicts().stream()
        .map(found -> found.sink().block().text())
        .sorted()
        .collect(Collectors.toList());
  }

  /** Line 1 reads and line 2 writes the first of some elements, 3 the others; 4 reads one. */
  private static Set<String> conflictsOfBundle(int index, boolean keepsStacks) {
    Sites sites = new Sites();
    Findings findings = new Findings();
    AnomalyDetector detector = new AnomalyDetector(sites, new Variables(), findings, keepsStacks);
    int[] lines = new int[5];
    for (int line = 1; line < lines.length; line++) {
      lines[line] = sites.add(new Site("V", "m", "V.java", line, "m", ""));
    }
    int bundle =
        sites.add(
            new Bundle(
                List.of(
                    new Bundle.Statement(lines[1], false), new Bundle.Statement(lines[2], true)),
                List.of(new Bundle.Statement(lines[3], true))));
    int[][] rows = new int[20][COLUMNS];
    Checker thread = detector.first();
    Fork loop = thread.forkLoop(new Origin(Origin.Kind.LOOP, ""));
    int tag = thread.pushIterations(loop, 20, 0);
    for (int i = 0; i < 20; i++) {
      thread.iterate(loop, tag++);
      if (!thread.goesOn(rows[i], 2, 9, 1, 2 * bundle + 1)) {
        detector.writeRange(rows[i], 2, 9, 1, bundle, thread);
      }
    }
    thread.iterate(loop, thread.takeIterations(loop, 1, 20));
    detector.readElement(rows[7], index, lines[4], thread);
    thread.pop();
    thread.join(loop);
    detector.finish();
    return findings.conflicts().stream()
        .map(found -> found.source().line() + " with " + found.sink().line())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** One statement of the loop's body. */
  private record Statement(
      int matrix,
      int site,
      boolean isWrite,
      int rowStep,
      int row,
      int step,
      int turn,
      int from,
      int count,
      int stride,
      boolean isScattered) {
    int rowIn(int iteration) {
      return row + rowStep * iteration;
    }

    int fromIn(int iteration) {
      return isScattered
          ? Math.floorMod(iteration * 7919 + from, COLUMNS)
          : from + step * iteration + (iteration & 1) * turn;
    }
  }

  private record Element(Object row, int index) {}

  /** Who accessed an element: an iteration, and whether it wrote. */
  private record Access(int iteration, boolean isWrite) {}

  private static final class Program {
    private final Random random;
    private final Sites sites = new Sites();
    private final Findings findings = new Findings();
    private final AnomalyDetector detector =
        new AnomalyDetector(sites, new Variables(), findings, false);
    private final int[][][] matrices = new int[MATRICES][ROWS][];
    private final List<Statement> statements = new ArrayList<>();
    private final Map<Element, List<Access>> accesses = new HashMap<>();
    private final Set<String> expected = new TreeSet<>();
    private int expectedly;

    Program(long seed) {
      random = new Random(seed);
      for (int[][] matrix : matrices) {
        boolean isRagged = random.nextInt(3) == 0;
        for (int i = 0; i < ROWS; i++) {
          matrix[i] = new int[isRagged ? COLUMNS - random.nextInt(3) : COLUMNS];
        }
        if (random.nextInt(6) == 0) {
          matrix[random.nextInt(ROWS)] = matrix[random.nextInt(ROWS)];
        }
      }
    }

    private Statement statement() {
      int matrix = random.nextInt(MATRICES);
      boolean rests = random.nextInt(4) == 0;
      boolean isWrite = !rests && random.nextInt(3) == 0;
      return new Statement(
          matrix,
          sites.add(new Site("V", "m", "V.java", statements.size(), "m" + matrix, "")),
          isWrite || random.nextInt(12) == 0,
          rests ? 0 : 1,
          random.nextInt(4) == 0 ? random.nextInt(3) : 1,
          random.nextInt(4) == 0 ? random.nextInt(3) - 1 : 0,
          random.nextInt(3) == 0 ? 1 : 0,
          random.nextInt(COLUMNS / 2),
          1 + random.nextInt(5),
          1 + random.nextInt(2),
          random.nextInt(6) == 0);
    }

    Set<String> run() {
      for (int i = 0; i < 4; i++) {
        statements.add(statement());
      }
      List<Checker> threads = new ArrayList<>(List.of(detector.first()));
      while (threads.size() < THREADS) {
        threads.add(detector.checker(Fork.NOWHERE));
      }
      for (int loops = 1 + random.nextInt(2); loops > 0; loops--) {
        accesses.clear();
        loop(threads, 1 + random.nextInt(ROWS - 4));
      }
      detector.finish();
      return expected;
    }

    private void loop(List<Checker> threads, int iterations) {
      Fork loop = detector.first().forkLoop(new Origin(Origin.Kind.LOOP, ""));
      int[] next = new int[THREADS];
      int[] end = new int[THREADS];
      int[] tag = new int[THREADS];
      int taken = 0;
      int done = 0;
      while (done < iterations) {
        int t = random.nextInt(THREADS);
        Checker thread = threads.get(t);
        if (next[t] == end[t]) {
          if (taken == iterations) {
            continue;
          }
          next[t] = taken;
          end[t] = Math.min(iterations, taken + 1 + random.nextInt(40));
          taken = end[t];
          tag[t] = thread.pushIterations(loop, end[t] - next[t], next[t]);
        }
        for (int some = 1 + random.nextInt(20); some > 0 && next[t] < end[t]; some--) {
          thread.iterate(loop, tag[t]++);
          iteration(thread, next[t]++);
          done++;
        }
        if (next[t] == end[t]) {
          thread.pop();
        }
      }
      detector.first().join(loop);
    }

    private void iteration(Checker thread, int iteration) {
      for (Statement statement : statements) {
        int row = statement.rowIn(iteration);
        if (row < ROWS) {
          int[] array = matrices[statement.matrix()][row];
          int from = statement.fromIn(iteration);
          int count = statement.isScattered() ? 1 : statement.count();
          for (int k = 0; k < count; k++) {
            note(statement, array, from + k * statement.stride(), iteration);
          }
          int to = from + (count - 1) * statement.stride() + 1;
          tell(thread, statement, array, from, to);
        }
      }
    }

    /** As the program's code tells it, which leaves out what its statements are expected to do. */
    private void tell(Checker thread, Statement statement, int[] array, int from, int to) {
      int site = statement.site();
      int number = 2 * site + (statement.isWrite() ? 1 : 0);
      int stride = to - from == 1 ? 1 : statement.stride();
      if (thread.goesOn(array, from, to, stride, number)) {
        expectedly++;
      } else if (to - from == 1 && from >= 0 && from < array.length) {
        if (statement.isWrite()) {
          detector.writeElement(array, from, site, thread);
        } else {
          detector.readElement(array, from, site, thread);
        }
      } else if (statement.isWrite()) {
        detector.writeRange(array, from, to, stride, site, thread);
      } else {
        detector.readRange(array, from, to, stride, site, thread);
      }
    }

    private void note(Statement statement, int[] array, int index, int iteration) {
      if (index < 0 || index >= array.length) {
        return;
      }
      List<Access> all =
          accesses.computeIfAbsent(new Element(new Same(array), index), any -> new ArrayList<>());
      for (Access other : all) {
        if (other.iteration() != iteration && (other.isWrite() || statement.isWrite())) {
          expected.add("m" + statement.matrix() + "[*]");
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

  /** An object, by identity. */
  private record Same(Object object) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Same same && same.object == object;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }
  }
}
