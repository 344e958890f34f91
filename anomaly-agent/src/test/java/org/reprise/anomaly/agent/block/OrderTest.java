package org.reprise.anomaly.agent.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.report.Lineage;

/**
 * Labels against the whole graph: random programs of forks, joins by anybody, loops and events; at
 * each block the labels must answer as a graph does that keeps every block and every edge.
 */
class OrderTest {
  private static final int PROGRAMS = 3000;

  @Test
  void labelsAnswerLikeTheWholeGraph() {
    long questions = 0;
    for (long seed = 1; seed <= PROGRAMS; seed++) {
      Program program = new Program(seed);
      program.run();
      questions += program.questions;
    }
    assertThat(questions).isGreaterThan(1_000_000);
  }

  @Test
  void afterTheOnlyLoopIsJoinedNothingNeedsChecking() {
    ThreadOrder main = new ThreadOrder(new Tags(), new OpenForks());
    assertThat(main.on).isFalse();
    Fork loop = main.forkLoop(new Origin(Origin.Kind.LOOP, ""));
    assertThat(main.on).isTrue();
    int first = main.pushIterations(loop, 10, 0);
    main.iterate(loop, first + 3);
    assertThat(main.isAfter(first)).isFalse();
    main.pop();
    main.join(loop);
    assertThat(main.on).isFalse();
    assertThat(main.isAfter(first + 3)).isTrue();
  }

  @Test
  void theLineageOfABlockNamesEveryForkAboveItAndItsJoin() {
    ThreadOrder main = new ThreadOrder(new Tags(), new OpenForks());
    Fork loop = main.forkLoop(new Origin(Origin.Kind.LOOP, "A.java:8"));
    int first = main.pushIterations(loop, 10, 20);
    main.iterate(loop, first + 3);
    Fork task = main.fork(new Origin(Origin.Kind.TASK, "A.java:9"));
    main.push(task);
    Lineage lineage = main.lineage(main.tag);
    assertThat(lineage.tasks().stream().map(Lineage.Task::text))
        .containsExactly(
            "the first thread", "iteration 23 of the loop at A.java:8", "the task at A.java:9");
    assertThat(lineage.tasks().stream().allMatch(one -> one.joined().isEmpty())).isTrue();
    main.done();
    main.pop();
    main.pop();
    main.join(loop);
    Lineage.Task iteration = lineage.tasks().get(1);
    assertThat(iteration.id()).isEqualTo(first + 3);
    assertThat(iteration.joined()).hasValue(main.tag);
    assertThat(iteration.forked().getAsLong()).isLessThan(first);
    assertThat(lineage.tasks().get(2).joined()).as("nobody has joined it").isEmpty();
    assertThat(lineage.tag()).isGreaterThan(iteration.id()).isLessThan(main.tag);
  }

  /**
   * A program that is made up while it runs, one step of one live task at a time. Tasks run on
   * threads of their own, or pushed on the thread of the task that calls them.
   */
  private static final class Program {
    private final Random random;
    private final long seed;
    private final Tags tags = new Tags();
    private final OpenForks open = new OpenForks();

    /** Per block of the graph: all blocks before it. Index 0 is the first. */
    private final List<BitSet> before = new ArrayList<>();

    /** Tag of the label to the block of the graph. */
    private final Map<Integer, BitSet> blocks = new HashMap<>();

    private final List<Task> live = new ArrayList<>();
    private final List<Task> ended = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    long questions;

    Program(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      live.add(new Task(new ThreadOrder(tags, open), null, new BitSet()));
      for (int step = 0; step < 60 && !live.isEmpty(); step++) {
        Task task = live.get(random.nextInt(live.size()));
        act(task);
        task.access();
        live.forEach(this::ask);
      }
    }

    private void act(Task task) {
      switch (random.nextInt(7)) {
        case 0, 1 -> fork(task);
        case 2 -> loop(task);
        case 3 -> {
          if (!ended.isEmpty()) {
            join(task, ended.get(random.nextInt(ended.size())));
          }
        }
        case 4 -> end(task);
        case 5 -> {
          events.add(new Event(task.threadOrder.release(), task.past()));
          task.newBlock();
        }
        default -> {
          if (!events.isEmpty()) {
            Event event = events.get(random.nextInt(events.size()));
            task.threadOrder.acquire(event.release());
            task.learn(event.past());
          }
        }
      }
    }

    private void fork(Task task) {
      BitSet past = task.past();
      Fork fork = task.threadOrder.fork(new Origin(Origin.Kind.TASK, ""));
      task.newBlock();
      live.add(new Task(new ThreadOrder(tags, open, fork), fork, past));
    }

    private void loop(Task task) {
      BitSet past = task.past();
      Fork loop = task.threadOrder.forkLoop(new Origin(Origin.Kind.LOOP, ""));
      int count = 1 + random.nextInt(3);
      BitSet all = (BitSet) past.clone();
      int first = task.threadOrder.pushIterations(loop, count, 0);
      for (int i = 0; i < count; i++) {
        task.threadOrder.iterate(loop, first + i);
        Task iteration = new Task(task.threadOrder, loop, past);
        iteration.access();
        ask(iteration);
        if (random.nextInt(3) == 0) {
          fork(iteration);
          iteration.access();
          ask(iteration);
        }
        all.or(iteration.past());
      }
      task.threadOrder.pop();
      task.threadOrder.join(loop);
      task.learn(all);
      task.newBlock();
    }

    private void join(Task task, Task other) {
      if (other.fork != null && other != task) {
        task.threadOrder.join(other.fork);
        task.learn(other.past());
        task.newBlock();
      }
    }

    private void end(Task task) {
      if (task.fork != null) {
        live.remove(task);
        ended.add(task);
      }
    }

    private void ask(Task task) {
      BitSet past = task.past();
      blocks.forEach(
          (tag, graphBlocks) -> {
            // One tag may stand for several blocks of the graph; then all of them must agree.
            boolean expected = true;
            for (int b = graphBlocks.nextSetBit(0); b >= 0; b = graphBlocks.nextSetBit(b + 1)) {
              expected &= past.get(b);
            }
            questions++;
            boolean answer = task.threadOrder.isAfter(tag);
            // An assertion for each of a million questions takes fifty times as long as they do.
            if (answer != expected) {
              fail(
                  "seed %d: block %d before block %d: %s", seed, tag, task.threadOrder.tag, answer);
            }
          });
    }

    /** A task and its current block of the graph. */
    private final class Task {
      final ThreadOrder threadOrder;
      final @org.jspecify.annotations.Nullable Fork fork;
      private BitSet past;
      private int block;

      Task(ThreadOrder threadOrder, @org.jspecify.annotations.Nullable Fork fork, BitSet past) {
        this.threadOrder = threadOrder;
        this.fork = fork;
        this.past = (BitSet) past.clone();
        newBlock();
      }

      void newBlock() {
        block = before.size();
        before.add(past);
        past = (BitSet) past.clone();
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
        blocks.computeIfAbsent(threadOrder.tag, any -> new BitSet()).set(block);
      }
    }

    private record Event(Release release, BitSet past) {}
  }
}
