package org.reprise.anomaly.agent.detect;

import org.jspecify.annotations.Nullable;

/**
 * The rows of an array of arrays that always has the same ones: where their shadows are. Who goes
 * through them need not look at each.
 *
 * <p>Hot path: once per loop that is declared ahead. Benchmarks: {@code bench/anomalies lu jacobi}.
 */
final class ConstantRows {
  private final @Nullable ArrayShadow[] shadows;

  /** By row: the first after it that does not lie beside it, or has another length. */
  private final int[] ends;

  ConstantRows(Object[] rows, ArrayShadows known) {
    shadows = new ArrayShadow[rows.length];
    for (int i = 0; i < rows.length; i++) {
      Object row = rows[i];
      shadows[i] = row == null || !row.getClass().isArray() ? null : known.of(row);
    }
    ends = new int[rows.length];
    for (int i = rows.length - 1; i >= 0; i--) {
      ends[i] = i + 1 < rows.length && areBeside(shadows[i], shadows[i + 1]) ? ends[i + 1] : i + 1;
    }
  }

  private static boolean areBeside(@Nullable ArrayShadow one, @Nullable ArrayShadow other) {
    return one != null
        && other != null
        && other.neighbours == one.neighbours
        && other.place == one.place + 1
        && other.length() == one.length();
  }

  /** Whether rows from one on have all elements below one. */
  boolean hold(int first, int count, int to) {
    for (int row = first; row < first + count; row = ends[row]) {
      ArrayShadow shadow = shadows[row];
      if (shadow == null || to > shadow.length()) {
        return false;
      }
    }
    return true;
  }

  @Nullable ArrayShadow at(int row) {
    return shadows[row];
  }

  /** How many rows from one on lie beside each other, but no more than these. */
  int beside(int row, int max) {
    return Math.min(ends[row] - row, max);
  }
}
