package org.reprise.anomaly.agent.detect;

import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.hooks.KnownArray;

/**
 * The rows that a thread is going through in the iterations of a leaf. Those that lie beside each
 * other, as the rows of a matrix mostly do, are taken together.
 *
 * <p>Hot path: once per loop that is declared ahead. Benchmarks: {@code bench/anomalies lu jacobi}.
 */
final class RowsAhead {
  /** Takes rows that lie beside each other. */
  interface Action {
    /**
     * @param first the shadow of the first of them
     * @param after how many rows there are before it
     * @param count how many they are
     */
    void accept(ArrayShadow first, int after, int count);
  }

  private final ArrayShadows shadows;

  /** The array whose rows were asked for last, and are always the same. */
  private @Nullable ArrayShadow last;

  RowsAhead(ArrayShadows shadows) {
    this.shadows = shadows;
  }

  /** Whether some rows, which are always the same, have all elements below one. */
  boolean hold(Object[] rows, int first, int count, int to) {
    return constant(rows).hold(first, count, to);
  }

  private ConstantRows constant(Object[] rows) {
    ArrayShadow shadow = last;
    if (shadow == null || !shadow.refersTo(rows)) {
      shadow = shadows.of(rows);
      last = shadow;
    }
    return shadow.rows(rows, shadows);
  }

  /** All rows from one on, without those that somebody has taken away meanwhile. */
  void forEach(Object[] rows, int first, int count, boolean isConstant, Action action) {
    ConstantRows constant = isConstant ? constant(rows) : null;
    int after = 0;
    while (after < count) {
      int at = first + after;
      int left = count - after;
      ArrayShadow shadow = constant == null ? shadow(rows[at]) : constant.at(at);
      int beside = constant == null ? beside(shadow, rows, at, left) : constant.beside(at, left);
      if (shadow != null) {
        action.accept(shadow, after, beside);
      }
      after += beside;
    }
  }

  private @Nullable ArrayShadow shadow(@Nullable Object row) {
    return row == null ? null : shadows.of(row);
  }

  private static int beside(@Nullable ArrayShadow shadow, Object[] rows, int first, int max) {
    KnownArray last = shadow;
    int count = 1;
    while (count < max && last != null) {
      last = last.next;
      if (last == null || !last.refersTo(rows[first + count])) {
        return count;
      }
      count++;
    }
    return count;
  }
}
