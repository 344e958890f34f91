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

  /** An action whose order the stream keeps: all of them are one sequence. */
  boolean enterOrdered(Strand strand, Object action) {
    return isOrdered(action) && enter(strand, action);
  }

  void exit(Strand strand, Object sink) {
    Accumulation accumulation = accumulations.get(sink);
    if (accumulation != null) {
      strand.pop(accumulation);
    }
  }

  private boolean isOrdered(Object action) {
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
