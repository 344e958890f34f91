package org.reprise.anomaly.hooks;

import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Functions that compute the elements of an array in parallel. The library writes each element in
 * the block that computed it, which no instrumented code sees.
 */
public final class Generators {
  private Generators() {}

  public static @Nullable IntUnaryOperator writing(
      Object array, @Nullable IntUnaryOperator generator, int site) {
    return generator == null
        ? null
        : index -> {
          int value = generator.applyAsInt(index);
          Hooks.writeElement(array, index, site, Hooks.context());
          return value;
        };
  }

  public static @Nullable IntToLongFunction writing(
      Object array, @Nullable IntToLongFunction generator, int site) {
    return generator == null
        ? null
        : index -> {
          long value = generator.applyAsLong(index);
          Hooks.writeElement(array, index, site, Hooks.context());
          return value;
        };
  }

  public static @Nullable IntToDoubleFunction writing(
      Object array, @Nullable IntToDoubleFunction generator, int site) {
    return generator == null
        ? null
        : index -> {
          double value = generator.applyAsDouble(index);
          Hooks.writeElement(array, index, site, Hooks.context());
          return value;
        };
  }

  public static <T> @Nullable IntFunction<T> writing(
      Object array, @Nullable IntFunction<T> generator, int site) {
    return generator == null
        ? null
        : index -> {
          T value = generator.apply(index);
          Hooks.writeElement(array, index, site, Hooks.context());
          return value;
        };
  }
}
