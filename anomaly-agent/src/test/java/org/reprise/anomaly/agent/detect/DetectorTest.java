package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variable;
import org.reprise.anomaly.agent.instrument.program.Variables;
import org.reprise.anomaly.agent.report.Findings;
import org.reprise.anomaly.report.Conflict;

/**
 * The detector against a naive one: random programs of forks, joins by anybody and loops over a few
 * fields and arrays. The naive one keeps every access of every block with all blocks before it, and
 * compares each with each. Variable by variable both must agree.
 */
class DetectorTest {
  private static final int PROGRAMS = 2000;
  private static final int FIELDS = 3;
  private static final int ARRAYS = 2;
  private static final int LENGTH = 40;

  @Test
  void theSameVariablesAreAnomalousAsForADetectorThatKeepsEverything() {
    int anomalous = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Program program = new Program(seed);
      program.run();
      assertThat(program.found()).as("seed %d", seed).isEqualTo(program.expected);
      anomalous += program.expected.isEmpty() ? 0 : 1;
    }
    assertThat(anomalous).isBetween(PROGRAMS / 10, PROGRAMS * 19 / 20);
  }

  /** One access as the naive detector keeps it. */
  private record Access(String variable, int element, boolean isWrite, int block) {}

  /** A program that is made up while it runs, one step of one live task at a time. */
  private static final class Program {
    private final Random random;
    private final Sites sites = new Sites();
    private final Variables variables = new Variables();
    private final Findings findings = new Findings();
    private final AnomalyDetector detector = new AnomalyDetector(sites, variables, findings, false);
    private final Object object = new Object();
    private final int[][] arrays = new int[ARRAYS][LENGTH];
    private final int[] fields = new int[FIELDS];
    private final int[] fieldSites = new int[FIELDS];
    private final int[] arraySites = new int[ARRAYS];

    private final List<Access> accesses = new ArrayList<>();
    private final List<Task> live = new ArrayList<>();
    private final List<Task> ended = new ArrayList<>();
    private final Set<String> expected = new TreeSet<>();
    private int blocks;

    Program(long seed) {
      random = new Random(seed);
      for (int i = 0; i < FIELDS; i++) {
        Variable variable = new Variable("V", "f" + i, false, false);
        fields[i] = variables.number(variable);
        fieldSites[i] = site(variable.text());
      }
      for (int i = 0; i < ARRAYS; i++) {
        arraySites[i] = site("a" + i);
      }
    }

    private int site(String variable) {
      return sites.add(new Site("V", "m", "V.java", 1, variable, ""));
    }

    void run() {
      live.add(new Task(detector.first(), null, new BitSet()));
      int steps = 10 + random.nextInt(40);
      for (int step = 0; step < steps; step++) {
        Task task = live.get(random.nextInt(live.size()));
        act(task);
        if (random.nextInt(3) == 0) {
          task.access();
        }
      }
      detector.finish();
    }

    Set<String> found() {
      return findings.conflicts().stream()
          .map(Conflict::variable)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private void act(Task task) {
      switch (random.nextInt(6)) {
        case 0 -> {
          BitSet past = task.past();
          Fork fork = task.checker.fork(new Origin(Origin.Kind.TASK, ""));
          task.newBlock();
          live.add(new Task(detector.checker(fork), fork, past));
        }
        case 1 -> loop(task);
        case 2, 3 -> {
          if (!ended.isEmpty()) {
            join(task, ended.get(random.nextInt(ended.size())));
          }
        }
        case 4 -> {
          if (task.fork != null) {
            live.remove(task);
            ended.add(task);
          }
        }
        default -> task.access();
      }
    }

    private void loop(Task task) {
      BitSet past = task.past();
      Fork loop = task.checker.forkLoop(new Origin(Origin.Kind.LOOP, ""));
      BitSet all = (BitSet) past.clone();
      int count = 1 + random.nextInt(4);
      int first = task.checker.pushIterations(loop, count, 0);
      for (int i = 0; i < count; i++) {
        task.checker.iterate(loop, first + i);
        Task iteration = new Task(task.checker, loop, past);
        if (random.nextInt(2) == 0) {
          iteration.access();
        }
        all.or(iteration.past());
      }
      task.checker.pop();
      task.checker.join(loop);
      task.learn(all);
    }

    private void join(Task task, Task other) {
      if (other.fork != null) {
        task.checker.join(other.fork);
        task.learn(other.past());
      }
    }

    private void note(Task task, String variable, int element, boolean isWrite) {
      for (Access before : accesses) {
        if (before.variable().equals(variable)
            && before.element() == element
            && (before.isWrite() || isWrite)
            && before.block() != task.block
            && !task.past.get(before.block())) {
          expected.add(variable);
        }
      }
      accesses.add(new Access(variable, element, isWrite, task.block));
    }

    /** A task and its current block of the graph. */
    private final class Task {
      final Checker checker;
      final @Nullable Fork fork;
      private final BitSet past;
      private int block;

      Task(Checker checker, @Nullable Fork fork, BitSet past) {
        this.checker = checker;
        this.fork = fork;
        this.past = (BitSet) past.clone();
        newBlock();
      }

      void newBlock() {
        block = blocks++;
        past.set(block);
      }

      void learn(BitSet more) {
        past.or(more);
        newBlock();
      }

      BitSet past() {
        return (BitSet) past.clone();
      }

      void access() {
        boolean isWrite = random.nextInt(4) == 0;
        if (random.nextInt(2) == 0) {
          field(random.nextInt(FIELDS), isWrite);
        } else {
          array(random.nextInt(ARRAYS), isWrite);
        }
      }

      private void field(int number, boolean isWrite) {
        note(this, "V.f" + number, 0, isWrite);
        if (!checker.on) {
          return;
        }
        if (isWrite) {
          detector.writeField(object, fields[number], fieldSites[number], checker);
        } else {
          detector.readField(object, fields[number], fieldSites[number], checker);
        }
      }

      private void array(int number, boolean isWrite) {
        int from = random.nextInt(LENGTH);
        int count = 1 + random.nextInt(4);
        int stride = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 1;
        boolean asRange = random.nextBoolean();
        for (int k = 0; k < count && from + k * stride < LENGTH; k++) {
          int index = from + k * stride;
          note(this, "a" + number + "[*]", index, isWrite);
          if (!asRange && checker.on) {
            if (isWrite) {
              detector.writeElement(arrays[number], index, arraySites[number], checker);
            } else {
              detector.readElement(arrays[number], index, arraySites[number], checker);
            }
          }
        }
        if (asRange && checker.on) {
          int to = from + (count - 1) * stride + 1;
          boolean down = random.nextBoolean() && to <= LENGTH;
          int first = down ? to - 1 : from;
          int end = down ? from - 1 : to;
          int step = down ? -stride : stride;
          if (isWrite) {
            detector.writeRange(arrays[number], first, end, step, arraySites[number], checker);
          } else {
            detector.readRange(arrays[number], first, end, step, arraySites[number], checker);
          }
        }
      }
    }
  }
}
