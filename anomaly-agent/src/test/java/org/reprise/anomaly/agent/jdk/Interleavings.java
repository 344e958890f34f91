package org.reprise.anomaly.agent.jdk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.OpenForks;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.Tags;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * Every order in which the steps of a few threads can happen, up to a number of interruptions. A
 * step is indivisible: a call of a hook, or what the library does between two of them. The hooks
 * are the real ones; the threads are lists of steps, so that each order is executed, and executed
 * again, in one thread.
 */
final class Interleavings {
  /** More than any of the tests needs: one that grows beyond it is not small any more. */
  private static final int RUNS_MAX = 100_000;

  /**
   * So often a thread that could go on is interrupted by another in one order. What is wrong with
   * steps of two or three threads shows with fewer (Musuvathi and Qadeer, PLDI 2007).
   */
  private static final int PREEMPTIONS_MAX = 4;

  private final Tags tags;
  private final OpenForks open = new OpenForks();
  private final ThreadOrder first;
  private final List<Actor> actors = new ArrayList<>();
  private final List<Runnable> checks = new ArrayList<>();
  private final List<String> obstacles = new ArrayList<>();
  private ThreadOrder running;

  private Interleavings(Tags tags) {
    this.tags = tags;
    this.first = new ThreadOrder(tags, open);
    this.running = first;
  }

  /**
   * Sets up and runs the same threads once for each order.
   *
   * @return how many orders there are
   */
  static int all(Consumer<Interleavings> threads) {
    List<Integer> choices = new ArrayList<>();
    Tags tags = new Tags(); // large, and those of other orders do no harm
    int runs = 0;
    do {
      Interleavings one = new Interleavings(tags);
      threads.accept(one);
      one.run(choices);
      runs++;
      if (runs > RUNS_MAX) {
        throw new AssertionError("more than " + RUNS_MAX + " interleavings");
      }
    } while (next(choices));
    return runs;
  }

  /** The number of a choice is above the number of the ways there were, in one list. */
  private static boolean next(List<Integer> choices) {
    while (!choices.isEmpty()) {
      int ways = choices.remove(choices.size() - 1);
      int chosen = choices.remove(choices.size() - 1) + 1;
      if (chosen < ways) {
        choices.add(chosen);
        choices.add(ways);
        return true;
      }
    }
    return false;
  }

  private void run(List<Integer> choices) {
    List<String> order = new ArrayList<>();
    try {
      Actor last = null;
      int preemptions = 0;
      for (int at = 0; ; at += 2) {
        List<Actor> ready = actors.stream().filter(Actor::mayGoOn).toList();
        if (ready.isEmpty()) {
          break;
        }
        boolean mayLastGoOn = last != null && ready.contains(last);
        if (last != null && mayLastGoOn && preemptions == PREEMPTIONS_MAX) {
          ready = List.of(last);
        }
        if (at == choices.size()) {
          choices.add(0);
          choices.add(ready.size());
        }
        Actor chosen = ready.get(choices.get(at));
        order.add(chosen.name);
        preemptions += mayLastGoOn && chosen != last ? 1 : 0;
        last = chosen;
        running = chosen.threadOrder;
        chosen.todo.removeFirst().action.run();
      }
      for (Actor actor : actors) {
        if (!actor.todo.isEmpty()) {
          throw new AssertionError(actor.name + " waits for ever");
        }
      }
      checks.forEach(Runnable::run);
    } catch (Throwable e) {
      throw new AssertionError("in the order " + order + ": " + e.getMessage(), e);
    }
  }

  /** The first thread's thread, which forks all others. */
  ThreadOrder first() {
    return first;
  }

  /** In whose step we are. */
  ThreadOrder running() {
    return running;
  }

  List<String> obstacles() {
    return obstacles;
  }

  /** Does all that the actor has to do before the others begin. */
  void now(Actor actor) {
    running = actor.threadOrder;
    while (actor.mayGoOn()) {
      actor.todo.removeFirst().action.run();
    }
  }

  /** To be checked when all have ended. */
  void atEnd(Runnable check) {
    checks.add(check);
  }

  /** A thread of its own. */
  Actor actor(String name) {
    return actor(name, new ThreadOrder(tags, open, first.fork(new Origin(Origin.Kind.TASK, ""))));
  }

  /** The thread that was forked here. */
  Actor actor(String name, Fork fork) {
    return actor(name, new ThreadOrder(tags, open, fork));
  }

  Actor actor(String name, ThreadOrder threadOrder) {
    Actor actor = new Actor(name, threadOrder);
    actors.add(actor);
    return actor;
  }

  private record Step(BooleanSupplier mayHappen, Runnable action) {}

  /** A thread, and what it has still to do. */
  static final class Actor {
    final String name;
    final ThreadOrder threadOrder;
    private final Deque<Step> todo = new ArrayDeque<>();

    /** The block in which it wrote last. */
    private int written;

    private Actor(String name, ThreadOrder threadOrder) {
      this.name = name;
      this.threadOrder = threadOrder;
    }

    private boolean mayGoOn() {
      return !todo.isEmpty() && todo.element().mayHappen.getAsBoolean();
    }

    /** From within a step: these come next. Before all steps: this is what it does. */
    Actor then(Runnable... steps) {
      for (int i = steps.length - 1; i >= 0; i--) {
        todo.addFirst(new Step(() -> true, steps[i]));
      }
      return this;
    }

    /** As {@link #then}: waits for the condition, and does these. */
    Actor when(BooleanSupplier condition, Runnable... steps) {
      then(steps);
      todo.addFirst(new Step(condition, () -> {}));
      return this;
    }

    void writes() {
      written = threadOrder.tag;
    }

    int written() {
      return written;
    }

    /** Whether what the other wrote is ordered before what this one does now. */
    boolean isAfter(Actor other) {
      return threadOrder.isAfter(other.written);
    }
  }
}
