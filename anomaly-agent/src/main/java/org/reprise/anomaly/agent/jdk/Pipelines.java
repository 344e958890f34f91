package org.reprise.anomaly.agent.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is inside the stages of a stream. Where the library does not look as expected, nothing is:
 * all answers are null, or no. Hot path: once per leaf.
 */
final class Pipelines {
  /** Where ORDERED stands in the flags of a stage: two bits each, 1 for yes, 2 no, 3 unknown. */
  private static final int ORDERED_SHIFT = 4;

  // Constants, so that each use is compiled to the access of a field.
  private static final @Nullable VarHandle SOURCE = stage("sourceStage");
  private static final @Nullable VarHandle BEFORE = stage("previousStage");
  private static final @Nullable VarHandle FLAGS = field("combinedFlags", int.class);
  private static final @Nullable VarHandle ELEMENTS = field("sourceSpliterator", Spliterator.class);
  private static final @Nullable VarHandle RANGE_FROM = rangeFrom();
  private static final @Nullable VarHandle SUPPLIER = field("sourceSupplier", Supplier.class);

  private Pipelines() {}

  private static @Nullable VarHandle stage(String name) {
    try {
      return field(name, pipeline());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static @Nullable VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(pipeline(), MethodHandles.lookup())
          .findVarHandle(pipeline(), name, type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static Class<?> pipeline() throws ClassNotFoundException {
    return Class.forName("java.util.stream.AbstractPipeline");
  }

  private static @Nullable VarHandle rangeFrom() {
    try {
      Class<?> range = Class.forName("java.util.stream.Streams$RangeIntSpliterator");
      return MethodHandles.privateLookupIn(range, MethodHandles.lookup())
          .findVarHandle(range, "from", int.class);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Whether these are the numbers of a range, of which {@link #first} knows the first. */
  static boolean isIntRange(@Nullable Spliterator<?> elements) {
    return RANGE_FROM != null && RANGE_FROM.coordinateTypes().get(0).isInstance(elements);
  }

  static int first(Spliterator<?> range) {
    return (int) Objects.requireNonNull(RANGE_FROM).get(range);
  }

  /** The first stage of a pipeline, which all its stages share. */
  static @Nullable Object source(Object stage) {
    return SOURCE == null ? null : (Object) SOURCE.get(stage);
  }

  /** The stage before this one; null before the first. */
  static @Nullable Object before(Object stage) {
    return BEFORE == null ? null : (Object) BEFORE.get(stage);
  }

  static boolean isUnordered(Object stage) {
    return FLAGS != null && ((int) FLAGS.get(stage) >>> ORDERED_SHIFT & 3) != 1;
  }

  /** Where the elements of a first stage come from, unless it asks for that later. */
  static @Nullable Spliterator<?> elements(Object stage) {
    return ELEMENTS == null ? null : (Spliterator<?>) ELEMENTS.get(stage);
  }

  static void setElements(Object stage, Spliterator<?> elements) {
    if (ELEMENTS != null) {
      ELEMENTS.set(stage, elements);
    }
  }

  /** Whom a first stage asks where its elements come from. */
  static @Nullable Supplier<?> supplier(Object stage) {
    return SUPPLIER == null ? null : (Supplier<?>) SUPPLIER.get(stage);
  }

  static void setSupplier(Object stage, Supplier<?> supplier) {
    if (SUPPLIER != null) {
      SUPPLIER.set(stage, supplier);
    }
  }
}
