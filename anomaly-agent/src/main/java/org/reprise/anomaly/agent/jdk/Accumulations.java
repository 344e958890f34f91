package org.reprise.anomaly.agent.jdk;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Accumulation;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * Accumulators, combiners and ordered actions of streams. They run inside the traversal of a leaf,
 * but not as part of one element: a leaf's container is shared by all its elements.
 */
final class Accumulations {
  private final IdentityTable<Object, Accumulation> accumulations = new IdentityTable<>();
  private @Nullable Field ordered;

  boolean enter(ThreadOrder threadOrder, Object sink) {
    Fork loop = threadOrder.fork();
    if (loop == null || !loop.isLoop()) {
      // A sequential stream, in whatever block it is.
      return false;
    }
    threadOrder.push(accumulations.get(sink, any -> threadOrder.accumulation(loop)));
    return true;
  }

  boolean combine(ThreadOrder threadOrder, Object sink, Object other) {
    Accumulation left = accumulations.get(sink);
    Accumulation right = accumulations.get(other);
    if (left == null) {
      if (right == null) {
        return false;
      }
      // A leaf without elements has done nothing that could be ordered.
      accumulations.put(sink, right);
      left = right;
    } else if (right != null) {
      left.merge(right);
    }
    threadOrder.push(left);
    return true;
  }

  /** A loop begins that ends in an action whose order the stream keeps: one sequence for all. */
  void begin(ThreadOrder threadOrder, @Nullable Object action, Fork loop) {
    if (action != null && isOrdered(action)) {
      accumulations.put(action, threadOrder.accumulation(loop));
    }
  }

  boolean enterOrdered(ThreadOrder threadOrder, Object action) {
    Accumulation sequence = isOrdered(action) ? accumulations.get(action) : null;
    if (sequence == null) {
      return false;
    }
    if (threadOrder.fork() == null || !threadOrder.fork().isLoop()) {
      // Elements that were buffered; which ones is not known, but all of them are over.
      threadOrder.learnAll(sequence);
    }
    threadOrder.push(sequence);
    return true;
  }

  void exit(ThreadOrder threadOrder, Object sink) {
    Accumulation accumulation = accumulations.get(sink);
    if (accumulation != null) {
      threadOrder.pop(accumulation);
    }
  }

  private boolean isOrdered(Object action) {
    if (!action.getClass().getName().startsWith("java.util.stream.ForEachOps$ForEachOp$")) {
      return false;
    }
    try {
      Field field = ordered;
      if (field == null) {
        field = action.getClass().getSuperclass().getDeclaredField("ordered");
        field.setAccessible(true);
        ordered = field;
      }
      return field.getBoolean(action);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }
}
