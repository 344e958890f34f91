package org.reprise.anomaly.agent.jdk;

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
  private UnorderedStreams() {}

  /** Whether some elements are taken at the end of this pipeline or on the way, no matter which. */
  static boolean isCut(Object pipeline, @Nullable Object operation) {
    boolean finds =
        operation != null
            && operation.getClass().getName().equals("java.util.stream.FindOps$FindOp");
    if (finds && Pipelines.isUnordered(pipeline)) {
      return true;
    }
    Object stage = pipeline;
    for (Object before = Pipelines.before(stage);
        before != null;
        before = Pipelines.before(stage)) {
      if (cuts(stage) && Pipelines.isUnordered(before)) {
        return true;
      }
      stage = before;
    }
    return false;
  }

  private static boolean cuts(Object stage) {
    String name = stage.getClass().getName();
    return name.startsWith("java.util.stream.SliceOps$")
        || name.startsWith("java.util.stream.WhileOps$");
  }
}
