package org.reprise.anomaly.agent.jdk;

import java.lang.reflect.Field;
import java.util.Spliterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * Parallel streams through a {@link Spliterator} of the program's own, or one of the library's
 * around an iterator of the program's. Their code runs wherever the library splits the stream and
 * takes elements out of it, one thread at a time.
 *
 * <p>Where a stream does not look as expected, its source is left as it is.
 */
final class OwnSources {
  private static final String OF_ITERATOR = "java.util.Spliterators$IteratorSpliterator";

  private @Nullable Field iterator;

  /** The stream with this first stage is about to be evaluated as that loop. */
  void follow(Object stage, Fork loop, ThreadOrder threadOrder) {
    Spliterator<?> elements = Pipelines.elements(stage);
    Supplier<?> supplier = elements == null ? Pipelines.supplier(stage) : null;
    if (elements != null) {
      Spliterator<?> followed = followed(elements, loop, threadOrder);
      if (followed != elements) {
        Pipelines.setElements(stage, followed);
      }
    } else if (supplier != null) {
      Spliterator<?> followed = followed((Spliterator<?>) supplier.get(), loop, threadOrder);
      Pipelines.setSupplier(stage, () -> followed);
    }
  }

  private Spliterator<?> followed(Spliterator<?> elements, Fork loop, ThreadOrder threadOrder) {
    if (elements instanceof LoopElements || !runsProgram(elements)) {
      return elements;
    }
    LoopElements<?, ?> followed = LoopElements.of(elements, loop);
    followed.follow(threadOrder.accumulation(loop));
    return followed;
  }

  private boolean runsProgram(Spliterator<?> elements) {
    Object runs = elements.getClass().getName().equals(OF_ITERATOR) ? iterator(elements) : elements;
    return runs != null && runs.getClass().getClassLoader() != null;
  }

  private @Nullable Object iterator(Spliterator<?> elements) {
    try {
      Field field = iterator;
      if (field == null) {
        field = elements.getClass().getDeclaredField("it");
        field.setAccessible(true);
        iterator = field;
      }
      return field.get(elements);
    } catch (ReflectiveOperationException e) {
      return null; // Nothing is said about it.
    }
  }
}
