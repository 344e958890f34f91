package org.reprise.anomaly.agent.jdk;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Accumulation;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Strand;
import org.reprise.anomaly.agent.detect.IdentityTable;

/**
 * Accumulators, combiners and ordered actions of streams. They run inside the traversal of a leaf,
 * but not as part of one element: a leaf's container is shared by all its elements.
 */
final class Accumulations {
  private final IdentityTable<Object, Accumulation> accumulations = new IdentityTable<>();
  private @Nullable Field ordered;

  boolean enter(Strand strand, Object sink) {
    Fork loop = strand.fork();
    if (loop == null || !loop.isLoop()) {
      // A sequential stream, in whatever block it is.
      return false;
    }
    strand.push(accumulations.get(sink, any -> strand.accumulation(loop)));
    return true;
  }

  boolean combine(Strand strand, Object sink, Object other) {
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
    strand.push(left);
    return true;
  }

  /** A loop begins that ends in an action whose order the stream keeps: one sequence for all. */
  void begin(Strand strand, @Nullable Object action, Fork loop) {
    if (action != null && isOrdered(action)) {
      accumulations.put(action, strand.accumulation(loop));
    }
  }

  boolean enterOrdered(Strand strand, Object action) {
    Accumulation sequence = isOrdered(action) ? accumulations.get(action) : null;
    if (sequence == null) {
      return false;
    }
    if (strand.fork() == null || !strand.fork().isLoop()) {
      // Elements that were buffered; which ones is not known, but all of them are over.
      strand.learnAll(sequence);
    }
    strand.push(sequence);
    return true;
  }

  void exit(Strand strand, Object sink) {
    Accumulation accumulation = accumulations.get(sink);
    if (accumulation != null) {
      strand.pop(accumulation);
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
