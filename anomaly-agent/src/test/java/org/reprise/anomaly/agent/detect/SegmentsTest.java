package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.detect.history.Accesses;
import org.reprise.anomaly.agent.detect.history.Kind;
import org.reprise.anomaly.agent.detect.history.Segments;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;
import org.reprise.anomaly.agent.report.Findings;

/** Ranges of an array, against each of its elements by itself and against all that was done. */
class SegmentsTest {
  private static final int PROGRAMS = 2000;
  private static final int LENGTH = 24;

  @Test
  void aRangeDoesToEachElementWhatTheElementWouldSeeAlone() {
    int anomalous = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Program program = new Program(seed);
      for (int step = 0; step < 30; step++) {
        program.act();
      }
      anomalous += program.anomalous.isEmpty() ? 0 : 1;
    }
    assertThat(anomalous).isBetween(PROGRAMS / 10, PROGRAMS * 19 / 20);
  }

  @Test
  void tasksThatShareAnArrayOutMakeASegmentEachAndWhoJoinsThemMakesOneAgain() {
    Program program = new Program(0);
    Segments segments = program.segments;
    Checker main = program.live.get(0);
    List<Fork> forks = new ArrayList<>();
    for (int task = 0; task < 3; task++) {
      Fork fork = main.fork(new Origin(Origin.Kind.TASK, ""));
      Checker checker = program.detector.checker(fork);
      for (int i = 8 * task; i < 8 * task + 8; i++) {
        program.add(checker, i, i + 1, Kind.WRITE, 1, 0);
      }
      forks.add(fork);
      assertThat(segments.size()).isEqualTo(task + 1);
    }
    forks.forEach(main::join);
    program.add(main, 0, LENGTH, Kind.WRITE, 2, 0);
    assertThat(segments.size()).isEqualTo(1);
    assertThat(program.anomalous).isEmpty();
  }

  /** What a block did to an element. */
  private record Done(int element, int tag, int access) {}

  /** An access that another one conflicts with. */
  private record Conflict(int tag, int source, int sink) {}

  private static final class Program {
    private final Random random;
    private final long seed;
    private final AnomalyDetector detector =
        new AnomalyDetector(new Sites(), new Variables(), new Findings(), false);
    private final Accesses accesses = new Accesses();
    private final List<Checker> live = new ArrayList<>();
    private final List<Fork> forks = new ArrayList<>();
    private final Segments segments = new Segments(accesses);
    private final List<Segments> alone = new ArrayList<>();
    private final List<Done> done = new ArrayList<>();
    private final Set<Integer> anomalous = new HashSet<>();
    private final Set<Integer> reported = new HashSet<>();

    Program(long seed) {
      this.seed = seed;
      random = new Random(seed);
      live.add(detector.first());
      for (int i = 0; i < LENGTH; i++) {
        alone.add(new Segments(accesses));
      }
    }

    void act() {
      Checker checker = live.get(random.nextInt(live.size()));
      switch (random.nextInt(7)) {
        case 0 -> {
          Fork fork = checker.fork(new Origin(Origin.Kind.TASK, ""));
          forks.add(fork);
          live.add(detector.checker(fork));
        }
        case 1 -> {
          if (!forks.isEmpty()) {
            // The task does nothing any more: whoever joins it knows all it did.
            int which = random.nextInt(forks.size());
            live.remove(1 + which);
            live.get(random.nextInt(live.size())).join(forks.remove(which));
          }
        }
        case 2 -> {
          Fork loop = checker.forkLoop(new Origin(Origin.Kind.LOOP, ""));
          int first = checker.pushIterations(loop, 3, 0);
          for (int i = 0; i < 3; i++) {
            checker.iterate(loop, first + i);
            access(checker);
          }
          checker.pop();
          checker.join(loop);
        }
        default -> access(checker);
      }
    }

    private void access(Checker checker) {
      int from = random.nextInt(LENGTH);
      int to = Math.min(LENGTH, from + 1 + random.nextInt(8));
      Kind kind = random.nextInt(4) == 0 ? Kind.WRITE : Kind.READ;
      add(checker, from, to, kind, 1 + random.nextInt(2), random.nextInt(2));
    }

    void add(Checker checker, int from, int to, Kind kind, int site, int locks) {
      int access = accesses.number(site, kind, locks);
      Set<Conflict> expected = new HashSet<>();
      for (int i = from; i < to; i++) {
        int element = i;
        for (Done before : done) {
          if (before.element() == i
              && !checker.isAfter(before.tag())
              && kind.conflictsWith(accesses.get(before.access()).kind())) {
            anomalous.add(i);
          }
        }
        done.add(new Done(i, checker.tag, access));
        alone
            .get(i)
            .add(
                checker,
                i,
                i + 1,
                access,
                kind,
                (tag, source, sink, index) -> {
                  assertThat(done).as("seed %d", seed).contains(new Done(element, tag, source));
                  expected.add(new Conflict(tag, source, sink));
                  reported.add(element);
                });
      }
      Set<Conflict> found = new HashSet<>();
      segments.add(
          checker,
          from,
          to,
          access,
          kind,
          (tag, source, sink, index) -> {
            assertThat(done).as("seed %d", seed).contains(new Done(index, tag, source));
            found.add(new Conflict(tag, source, sink));
          });
      assertThat(found).as("seed %d", seed).isEqualTo(expected);
      assertThat(reported).as("seed %d", seed).isEqualTo(anomalous);
      assertThat(histories()).as("seed %d", seed).isEqualTo(historiesAlone());
    }

    /** Element by element; segments are apart, and none begins where an equal one ends. */
    private List<List<Integer>> histories() {
      List<List<Integer>> histories = new ArrayList<>();
      for (int i = 0; i < LENGTH; i++) {
        histories.add(new ArrayList<>());
      }
      segments.forEach(
          (from, to, tag, access) -> {
            assertThat(from).isLessThan(to);
            for (int i = from; i < to; i++) {
              histories.get(i).addAll(List.of(tag, access));
            }
          });
      int pieces = 0;
      for (int i = 0; i < LENGTH; i++) {
        boolean begins = i == 0 || !histories.get(i).equals(histories.get(i - 1));
        pieces += begins && !histories.get(i).isEmpty() ? 1 : 0;
      }
      assertThat(segments.size()).as("seed %d", seed).isEqualTo(pieces);
      return histories;
    }

    private List<List<Integer>> historiesAlone() {
      List<List<Integer>> histories = new ArrayList<>();
      for (Segments one : alone) {
        List<Integer> history = new ArrayList<>();
        one.forEach((from, to, tag, access) -> history.addAll(List.of(tag, access)));
        histories.add(history);
      }
      return histories;
    }
  }
}
