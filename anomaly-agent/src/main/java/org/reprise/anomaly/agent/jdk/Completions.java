package org.reprise.anomaly.agent.jdk;

import java.lang.reflect.Field;
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
  private final ThreadLocal<@Nullable Integer> stageDepth = new ThreadLocal<>();

  /** The future that a function of thenCompose returned, which decides about the stage's own. */
  private final ThreadLocal<@Nullable Object> composed = new ThreadLocal<>();

  private final BiConsumer<String, String> obstacles;

  Completions(BiConsumer<String, String> obstacles) {
    this.obstacles = obstacles;
  }

  /** Who completed a future, and what that orders. */
  private record Completed(int tag, Release release) {}

  void completed(Strand strand, Object future, boolean byHand) {
    Object inner = composed.get();
    if (inner != null && inner != future) {
      composed.remove();
      waited(strand, inner);
    }
    Completed before = completed.get(future);
    if (before == null) {
      Completed own = new Completed(strand.tag, strand.release());
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
    Fork fork = strand.fork(new Origin(Origin.Kind.STAGE, Stacks.place()));
    strand.push(fork);
    // The futures may become complete only now, and then the function runs here at once.
    strand.willHaveWaited(
        () -> {
          waited(strand, future);
          waited(strand, argument);
        });
    Integer depth = stageDepth.get();
    stageDepth.set(depth == null ? 1 : depth + 1);
    return true;
  }

  /** The future that a stage will complete. */
  void created(Strand strand, @Nullable Object future) {
    Integer depth = stageDepth.get();
    if (future != null && depth != null && depth > 0) {
      stages.put(future, strand.fork(new Origin(Origin.Kind.STAGE, Stacks.place())));
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
      stageDepth.set(0);
    }
    waited(strand, source);
    if (second != null) {
      waited(strand, second);
    }
    return pushes;
  }

  void exit(Strand strand, @Nullable Object result) {
    Integer depth = stageDepth.get();
    stageDepth.set(depth == null || depth == 0 ? 0 : depth - 1);
    if (result instanceof CompletableFuture<?> future && future.isDone()) {
      completed(strand, future, false);
    }
    strand.pop();
  }

  /** A function returned a future; if it is complete, the stage is completed here and now. */
  void composed(@Nullable Object future) {
    composed.set(future);
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
