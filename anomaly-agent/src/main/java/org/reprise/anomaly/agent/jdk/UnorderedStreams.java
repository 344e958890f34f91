package org.reprise.anomaly.agent.jdk;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * Parallel streams that promise no order, as those of a hash set, and of which only some elements
 * are taken: {@code limit}, {@code skip}, {@code takeWhile}, {@code dropWhile}, {@code findFirst}.
 * Which ones these are is left to the schedule.
 *
 * <p>What a stream promises is known inside the library only; where it does not look as expected,
 * nothing is said.
 */
final class UnorderedStreams {
  /** Where ORDERED stands in the flags of a stage: two bits each, 1 for yes, 2 no, 3 unknown. */
  private static final int ORDERED_SHIFT = 4;

  private @Nullable Stages stages;

  /** The fields of a stage; not to be had before the agent is set up. */
  private record Stages(Field previous, Field flags) {
    static Stages open() throws ReflectiveOperationException {
      Class<?> pipeline = Class.forName("java.util.stream.AbstractPipeline");
      Field previous = pipeline.getDeclaredField("previousStage");
      Field flags = pipeline.getDeclaredField("combinedFlags");
      previous.setAccessible(true);
      flags.setAccessible(true);
      return new Stages(previous, flags);
    }

    @Nullable Object before(Object stage) throws ReflectiveOperationException {
      return previous.get(stage);
    }

    boolean isUnordered(Object stage) throws ReflectiveOperationException {
      return (flags.getInt(stage) >>> ORDERED_SHIFT & 3) != 1;
    }
  }

  /** Whether some elements are taken at the end of this pipeline or on the way, no matter which. */
  boolean isCut(Object pipeline, @Nullable Object operation) {
    try {
      Stages known = stages;
      if (known == null) {
        known = Stages.open();
        stages = known;
      }
      boolean finds =
          operation != null
              && operation.getClass().getName().equals("java.util.stream.FindOps$FindOp");
      if (finds && known.isUnordered(pipeline)) {
        return true;
      }
      Object stage = pipeline;
      for (Object before = known.before(stage); before != null; before = known.before(stage)) {
        if (cuts(stage) && known.isUnordered(before)) {
          return true;
        }
        stage = before;
      }
      return false;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }

  private static boolean cuts(Object stage) {
    String name = stage.getClass().getName();
    return name.startsWith("java.util.stream.SliceOps$")
        || name.startsWith("java.util.stream.WhileOps$");
  }
}
