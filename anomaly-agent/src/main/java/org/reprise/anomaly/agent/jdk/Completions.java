package org.reprise.anomaly.agent.jdk;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.Strand;
import org.reprise.anomaly.agent.detect.IdentityTable;
import org.reprise.anomaly.agent.detect.Stacks;

/**
 * Completable futures. A stage's function runs in whichever thread comes to it: the one that adds
 * the stage, if the future before is complete already, else the one that completes it. So it is a
 * task of its own, ordered after both.
 */
final class Completions {
  private final IdentityTable<Object, Completed> completed = new IdentityTable<>();
  private final IdentityTable<Object, Object[]> parts = new IdentityTable<>();
  private final IdentityTable<Object, Fork> stages = new IdentityTable<>();

  /** Of each future that another one decides about, what the function did that returned that. */
  private final IdentityTable<Object, Release> composers = new IdentityTable<>();

  /** The stages that the thread is adding or running, the innermost first. */
  private final ThreadLocal<Deque<Stage>> stack = ThreadLocal.withInitial(ArrayDeque::new);

  private final BiConsumer<String, String> obstacles;

  Completions(BiConsumer<String, String> obstacles) {
    this.obstacles = obstacles;
  }

  /** Who completed a future, and what that orders. */
  private record Completed(int tag, Release release) {}

  /** A stage on the way through a method of the library. */
  private static final class Stage {
    /** Whether it is being added: the next future that is made will be its own. */
    final boolean isNew;

    /** Whether its fork was pushed. */
    final boolean isPushed;

    /** The future that it completes. */
    @Nullable Object dependent;

    /** The future that its function returned, which decides about the stage's own. */
    @Nullable Object inner;

    Stage(boolean isNew, boolean isPushed, @Nullable Object dependent) {
      this.isNew = isNew;
      this.isPushed = isPushed;
      this.dependent = dependent;
    }
  }

  void completed(Strand strand, Object future, boolean byHand) {
    Stage stage = stack.get().peek();
    if (stage != null && stage.inner != null && stage.inner != future) {
      waited(strand, stage.inner);
      stage.inner = null;
    }
    Completed before = completed.get(future);
    if (before == null) {
      ran(strand);
      Release composer = composers.get(future, any -> Release.NONE);
      Completed own = new Completed(strand.tag, strand.release().and(composer));
      before = completed.get(future, any -> own);
      if (before == own) {
        return;
      }
    }
    if (byHand && !strand.isAfter(before.tag())) {
      obstacles.accept("a future that concurrent blocks complete", Stacks.place());
    }
  }

  /** A stage is added to a future; the other one, if it needs two, is the argument. */
  boolean enterStage(Strand strand, Object future, @Nullable Object argument) {
    strand.push(fork(strand));
    // The futures may become complete only now, and then the function runs here at once.
    strand.willHaveWaited(
        () -> {
          waited(strand, future);
          waited(strand, argument);
        });
    stack.get().push(new Stage(true, true, null));
    return true;
  }

  /** The future that a stage will complete. */
  void created(Strand strand, @Nullable Object future) {
    Stage stage = stack.get().peek();
    if (future != null && stage != null && stage.isNew) {
      stage.dependent = future;
      stages.put(future, fork(strand));
    }
  }

  /** Nothing of the program's may come to run in it: then nobody asks how it ends. */
  private static Fork fork(Strand strand) {
    Fork fork = strand.fork(new Origin(Origin.Kind.STAGE, Stacks.place()));
    fork.belongsElsewhere();
    return fork;
  }

  /** The strand completes a future, so a function has run; in a stage, it was the stage's. */
  private static void ran(Strand strand) {
    Fork fork = strand.fork();
    if (fork != null && fork.origin().kind() == Origin.Kind.STAGE) {
      fork.belongsToProgram();
    }
  }

  /**
   * A stage may run now, if all it depends on is complete.
   *
   * @param isTask it was handed to a pool, and the strand is in its task: who waits for the stage
   *     must know of that
   */
  boolean enterFire(Strand strand, Object completion, boolean isTask) {
    Object source = field(completion, "src");
    Object second = field(completion, "snd");
    Object dependent = field(completion, "dep");
    if (!isDone(source) || (second != null && !isDone(second))) {
      return false;
    }
    Fork fork = dependent == null ? null : stages.get(dependent);
    boolean pushes = fork != null && !fork.hasBegun() && !isTask;
    if (fork != null && pushes) {
      strand.push(fork);
    }
    stack.get().push(new Stage(false, pushes, dependent));
    waited(strand, source);
    if (second != null) {
      waited(strand, second);
    }
    return true;
  }

  void exit(Strand strand, @Nullable Object result) {
    Deque<Stage> entered = stack.get();
    if (entered.element().isPushed) {
      if (result instanceof CompletableFuture<?> future && future.isDone()) {
        completed(strand, future, false);
      }
      strand.pop();
    }
    entered.pop();
  }

  /**
   * A function returned a future. If it is complete, the stage is completed here and now; else by
   * whoever completes that, and then what the function did is before it all the same.
   */
  void composed(Strand strand, @Nullable Object future) {
    Stage stage = stack.get().peek();
    if (stage != null && stage.dependent != null) {
      ran(strand);
      stage.inner = future;
      composers.put(stage.dependent, strand.release());
    }
  }

  void allOf(@Nullable Object futures, @Nullable Object result) {
    if (futures instanceof Object[] all && result != null) {
      parts.put(result, all);
    }
  }

  /** The strand waited for a future, or has seen that it is complete. */
  void waited(Strand strand, @Nullable Object future) {
    if (future == null || !isDone(future)) {
      return;
    }
    Completed by = completed.get(future);
    if (by != null) {
      strand.acquire(by.release());
    }
    Object[] all = parts.get(future);
    if (all != null) {
      for (Object part : all) {
        waited(strand, part);
      }
    }
  }

  private static boolean isDone(@Nullable Object future) {
    return future instanceof CompletableFuture<?> complete && complete.isDone();
  }

  private static @Nullable Object field(Object completion, String name) {
    for (Class<?> type = completion.getClass(); type != null; type = type.getSuperclass()) {
      try {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(completion);
      } catch (NoSuchFieldException inherited) {
        // The class above may declare it.
      } catch (ReflectiveOperationException | RuntimeException e) {
        return null;
      }
    }
    return null;
  }
}
