package org.reprise.anomaly.agent.jdk;

import java.lang.reflect.Field;
import java.util.Spliterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Strand;

/**
 * Parallel streams through a {@link Spliterator} of the program's own, or one of the library's
 * around an iterator of the program's. Their code runs wherever the library splits the stream and
 * takes elements out of it, one thread at a time.
 *
 * <p>Where a stream does not look as expected, its source is left as it is.
 */
final class OwnSources {
  private static final String OF_ITERATOR = "java.util.Spliterators$IteratorSpliterator";

  private @Nullable Fields fields;

  /** The fields of a stream's first stage; not to be had before the agent is set up. */
  private record Fields(Field spliterator, Field supplier, Field iterator) {
    static Fields open() throws ReflectiveOperationException {
      Class<?> pipeline = Class.forName("java.util.stream.AbstractPipeline");
      return new Fields(
          field(pipeline, "sourceSpliterator"),
          field(pipeline, "sourceSupplier"),
          field(Class.forName(OF_ITERATOR), "it"));
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    }
  }

  /** The stream with this first stage is about to be evaluated as that loop. */
  void follow(Object stage, Fork loop, Strand strand) {
    try {
      Fields known = fields;
      if (known == null) {
        known = Fields.open();
        fields = known;
      }
      if (known.spliterator.get(stage) instanceof Spliterator<?> elements) {
        known.spliterator.set(stage, followed(elements, loop, strand, known));
      } else if (known.supplier.get(stage) instanceof Supplier<?> supplier) {
        Spliterator<?> elements = (Spliterator<?>) supplier.get();
        Spliterator<?> followed = followed(elements, loop, strand, known);
        known.supplier.set(stage, (Supplier<?>) () -> followed);
      }
    } catch (ReflectiveOperationException e) {
      // Nothing is said about it.
    }
  }

  private static Spliterator<?> followed(
      Spliterator<?> elements, Fork loop, Strand strand, Fields known)
      throws ReflectiveOperationException {
    if (elements instanceof LoopElements || !runsProgram(elements, known)) {
      return elements;
    }
    LoopElements<?, ?> followed = LoopElements.of(elements, loop);
    followed.follow(strand.accumulation(loop));
    return followed;
  }

  private static boolean runsProgram(Spliterator<?> elements, Fields known)
      throws ReflectiveOperationException {
    Object runs =
        elements.getClass().getName().equals(OF_ITERATOR) ? known.iterator.get(elements) : elements;
    return runs != null && runs.getClass().getClassLoader() != null;
  }
}
