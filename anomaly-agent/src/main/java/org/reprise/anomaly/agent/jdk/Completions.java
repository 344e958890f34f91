package org.reprise.anomaly.agent.jdk;

import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.Stacks;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * Completable futures. A stage's function runs in whichever thread comes to it: the one that adds
 * the stage, if the future before is complete already, else the one that completes it. So it is a
 * task of its own, ordered after both.
 *
 * <p>What a completion orders is on record before anybody can see the future complete, and it is
 * looked up only by a thread that has seen that. A stage on its way through the library has not yet
 * seen it when the library's method begins: its futures may become complete while that runs, and
 * another thread may win the right to run the function. So nothing is concluded until {@link #fires
 * the function is due}, which is so in one thread, after it has read all results; or until the
 * stage is completed without its function.
 */
final class Completions {
  private final IdentityTable<Object, Completed> completed = new IdentityTable<>();
  private final IdentityTable<Object, Object[]> parts = new IdentityTable<>();
  private final IdentityTable<Object, Fork> stages = new IdentityTable<>();

  /** Of each future that another one decides about, what the function did that returned that. */
  private final IdentityTable<Object, Release> composers = new IdentityTable<>();

  /** The stages that each thread is adding or running, the innermost first. */
  private final IdentityTable<ThreadOrder, Deque<Stage>> stacks = new IdentityTable<>();

  private final BiConsumer<String, String> obstacles;

  Completions(BiConsumer<String, String> obstacles) {
    this.obstacles = obstacles;
  }

  /** Who completed a future, and what that orders. */
  private record Completed(int tag, Release release) {}

  /** What a stage waits for. */
  enum Needs {
    /** All futures before it. */
    ALL,
    /** Any of them. */
    ONE
  }

  /** A stage on the way through a method of the library. */
  private static final class Stage {
    final Needs needs;
    final @Nullable Object source;
    final @Nullable Object second;

    /** Whether it is being added: the next future that is made will be its own. */
    final boolean isNew;

    /** Whether the thread is in the task that the stage was handed to a pool as. */
    final boolean isTask;

    /** The future that it completes. */
    @Nullable Object dependent;

    /** Whether this thread runs the function, with everything before it seen. */
    boolean fires;

    /** Whether its fork was pushed. */
    boolean isPushed;

    /** The future that its function returned, which decides about the stage's own. */
    @Nullable Object inner;

    Stage(
        Needs needs,
        @Nullable Object source,
        @Nullable Object second,
        boolean isNew,
        boolean isTask) {
      this.needs = needs;
      this.source = source;
      this.second = second;
      this.isNew = isNew;
      this.isTask = isTask;
    }
  }

  private Deque<Stage> stack(ThreadOrder threadOrder) {
    return stacks.get(threadOrder, any -> new ArrayDeque<>());
  }

  /** The thread is about to complete a future: as a stage, or because the program says so. */
  void completed(ThreadOrder threadOrder, Object future, boolean byHand) {
    Completed before = completed.get(future);
    if (before == null) {
      if (byHand && stages.get(future) != null) {
        // Its function may come first on another schedule.
        obstacles.accept("a future that concurrent blocks complete", Stacks.place());
      }
      before = publish(threadOrder, future);
    }
    if (!passesOn(threadOrder, future) && !threadOrder.isAfter(before.tag())) {
      obstacles.accept("a future that concurrent blocks complete", Stacks.place());
    }
  }

  /** Whether the thread is in a stage that completes the future without its function. */
  private boolean passesOn(ThreadOrder threadOrder, Object future) {
    Stage stage = stack(threadOrder).peek();
    return stage != null && !stage.fires && stage.dependent == future;
  }

  /** Puts on record what the future's completion will order, unless that was done. */
  private Completed publish(ThreadOrder threadOrder, Object future) {
    Stage stage = stack(threadOrder).peek();
    int tag = threadOrder.tag;
    Release release;
    if (stage != null && passesOn(threadOrder, future)) {
      release = before(stage);
    } else {
      ran(threadOrder);
      release = threadOrder.release();
      if (stage != null && stage.dependent == future && stage.inner != null) {
        release = release.and(release(stage.inner));
      }
    }
    Completed own = new Completed(tag, release.and(composers.get(future, any -> Release.NONE)));
    return completed.get(future, any -> own);
  }

  /** A stage is added to a future; the other one, if it needs two, is the argument. */
  boolean enterStage(
      ThreadOrder threadOrder, Object future, @Nullable Object argument, Needs needs) {
    stack(threadOrder).push(new Stage(needs, future, argument, true, false));
    return true;
  }

  /** The future that a stage will complete. */
  void created(ThreadOrder threadOrder, @Nullable Object future) {
    Stage stage = stack(threadOrder).peek();
    if (future != null && stage != null && stage.isNew && stage.dependent == null) {
      stage.dependent = future;
      List<StackFrame> call = Stacks.intoLibrary();
      String place = call.isEmpty() ? "" : Stacks.place(call.get(0));
      Origin.Kind kind = Stacks.startsProgram(call) ? Origin.Kind.TASK : Origin.Kind.STAGE;
      Fork fork = threadOrder.fork(new Origin(kind, place));
      // Nothing of the program's may come to run in it: then nobody asks how it ends. In those of
      // the JDK's own, which are called tasks here, nothing does.
      fork.belongsElsewhere();
      stages.put(future, fork);
    }
  }

  /** The thread completes a future, so a function has run; in a stage, it was the stage's. */
  private static void ran(ThreadOrder threadOrder) {
    Fork fork = threadOrder.fork();
    if (fork != null && fork.origin().kind() == Origin.Kind.STAGE) {
      fork.belongsToProgram();
    }
  }

  /**
   * A stage may run now, if all it depends on is complete by the time that the library looks.
   *
   * @param isTask it was handed to a pool, and the thread is in its task: who waits for the stage
   *     must know of that
   */
  boolean enterFire(ThreadOrder threadOrder, Object completion, boolean isTask) {
    Map<String, Field> fields = FIELDS.get(completion.getClass());
    Needs needs =
        completion.getClass().getName().startsWith(Families.EITHER.replace('/', '.'))
            ? Needs.ONE
            : Needs.ALL;
    return enterFire(
        threadOrder,
        needs,
        value(fields.get("src"), completion),
        value(fields.get("snd"), completion),
        value(fields.get("dep"), completion),
        isTask);
  }

  boolean enterFire(
      ThreadOrder threadOrder,
      Needs needs,
      @Nullable Object source,
      @Nullable Object second,
      @Nullable Object dependent,
      boolean isTask) {
    Stage stage = new Stage(needs, source, second, false, isTask);
    stage.dependent = dependent;
    stack(threadOrder).push(stage);
    return true;
  }

  /**
   * The function of the stage that the thread is in is about to be called, or handed to an
   * executor. The library has seen that all it depends on is complete, and no other thread will run
   * it.
   */
  void fires(ThreadOrder threadOrder) {
    Stage stage = stack(threadOrder).peek();
    if (stage == null || stage.fires) {
      return;
    }
    stage.fires = true;
    Fork fork = stage.dependent == null ? null : stages.get(stage.dependent);
    if (fork != null && !fork.hasBegun() && !stage.isTask) {
      threadOrder.push(fork);
      stage.isPushed = true;
    }
    threadOrder.acquire(before(stage));
  }

  void exit(ThreadOrder threadOrder, @Nullable Object result) {
    Stage stage = stack(threadOrder).element();
    if (stage.isNew && result != null && isDone(result) && completed.get(result) == null) {
      // The library made it complete before anybody else knows of it.
      publish(threadOrder, result);
    }
    stack(threadOrder).pop();
    if (stage.isPushed) {
      threadOrder.pop();
    }
  }

  /** A copy of a future, which others know of only now. */
  void copied(ThreadOrder threadOrder, Object future, @Nullable Object copy) {
    if (copy != null && copy != future && isDone(copy)) {
      completed.get(copy, any -> new Completed(threadOrder.tag, release(future)));
    }
  }

  /**
   * A function returned a future. If it is complete, the stage is completed here and now; else by
   * whoever completes that, and then what the function did is before it all the same.
   */
  void composed(ThreadOrder threadOrder, @Nullable Object future) {
    Stage stage = stack(threadOrder).peek();
    if (stage != null && stage.fires && stage.dependent != null) {
      ran(threadOrder);
      stage.inner = future;
      composers.put(stage.dependent, threadOrder.release());
    }
  }

  void allOf(@Nullable Object futures, @Nullable Object result) {
    if (futures instanceof Object[] all && result != null) {
      parts.put(result, all.clone());
    }
  }

  /** The thread waited for a future, or has seen that it is complete. */
  void waited(ThreadOrder threadOrder, Object future) {
    if (isDone(future)) {
      threadOrder.acquire(release(future));
    }
  }

  /** What is before the function of a stage because it is before the futures that it needs. */
  private Release before(Stage stage) {
    if (stage.needs == Needs.ONE) {
      return release(isDone(stage.source) ? stage.source : stage.second);
    }
    return release(stage.source).and(release(stage.second));
  }

  /** What is before everything that happens after somebody saw that the future is complete. */
  private Release release(@Nullable Object future) {
    if (future == null) {
      return Release.NONE;
    }
    Completed by = completed.get(future);
    Release release = by == null ? Release.NONE : by.release();
    Object[] all = parts.get(future);
    if (all != null) {
      for (Object part : all) {
        release = release.and(release(part));
      }
    }
    return release;
  }

  /**
   * Asks the field: a class of the program's own may answer otherwise, and a minimal stage none.
   */
  private static boolean isDone(@Nullable Object future) {
    if (!(future instanceof CompletableFuture<?> complete)) {
      return false;
    }
    Field field = FIELDS.get(future.getClass()).get("result");
    return field == null ? complete.isDone() : value(field, future) != null;
  }

  /** Fields of the library's classes by their names; those that cannot be read are left out. */
  private static final ClassValue<Map<String, Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected Map<String, Field> computeValue(Class<?> completion) {
          Map<String, Field> fields = new HashMap<>();
          for (Class<?> type = completion; type != null; type = type.getSuperclass()) {
            for (String name : List.of("src", "snd", "dep", "result")) {
              try {
                if (type.getClassLoader() == null) {
                  Field field = type.getDeclaredField(name);
                  field.setAccessible(true);
                  fields.put(name, field);
                }
              } catch (NoSuchFieldException inherited) {
                // The class above may declare it.
              } catch (RuntimeException e) {
                // Not open to the agent.
              }
            }
          }
          return fields;
        }
      };

  private static @Nullable Object value(@Nullable Field field, Object completion) {
    try {
      return field == null ? null : field.get(completion);
    } catch (IllegalAccessException e) {
      return null;
    }
  }
}
