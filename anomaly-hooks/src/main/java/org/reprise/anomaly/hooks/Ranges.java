package org.reprise.anomaly.hooks;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * What instrumented code has to know of ranges of arrays before it reports them: where they begin
 * and end, whether anything was accessed at all, whether the arrays hold what is going to be. All
 * of this reports nothing, and accepts null and indices out of range, as {@link Hooks} does.
 */
public final class Ranges {
  private Ranges() {}

  /** The value, if what it depends on happened; else null, which reports ignore. */
  public static @Nullable Object given(@Nullable Object happened, @Nullable Object value) {
    return happened == null ? null : value;
  }

  /** The object, if a loop's variable has moved; else null, which reports ignore. */
  public static @Nullable Object ifMoved(@Nullable Object object, int start, int end) {
    return start == end ? null : object;
  }

  /** 1 if an iteration came to the access with this number: its bit is set; else 0. */
  public static int isPast(int reached, int number) {
    return reached >>> number & 1;
  }

  /** A row that a loop has loaded before, or null if it cannot have. */
  public static @Nullable Object row(@Nullable Object rows, int index) {
    return rows instanceof Object[] all && index >= 0 && index < all.length ? all[index] : null;
  }

  /** How many elements an array has; 0 for null. */
  public static int length(@Nullable Object array) {
    return array == null ? 0 : Array.getLength(array);
  }

  /** Where each stride-th element from the first one leads to that is not below a number. */
  public static int end(int below, int from, int stride) {
    return from + ((below - from - 1) / stride + 1) * stride;
  }

  /** The stride of a range whose index moves by a step, or stays if that is 0. */
  public static int stride(int step) {
    return step == 0 ? 1 : step;
  }

  /** Whether an array has all elements from one, which there is, to below another. */
  public static boolean holds(@Nullable Object array, int from, int to) {
    return array != null && from >= 0 && from < to && to <= Array.getLength(array);
  }

  /**
   * Whether numbers stay ints, and a loop from one to below the other counts as often, while both
   * grow by as much in each of so many calls.
   */
  public static boolean counts(int start, int bound, int step, int shift, int calls) {
    long moved = (long) shift * (calls - 1);
    return start + moved >= Integer.MIN_VALUE
        && start + moved <= Integer.MAX_VALUE
        && bound + moved >= Integer.MIN_VALUE
        && Math.max(bound, bound + moved) <= Integer.MAX_VALUE - step;
  }

  /** As {@link #holds}, in each of so many calls, in which the range moves. */
  public static boolean holdsEach(@Nullable Object array, int from, int to, int shift, int calls) {
    long moved = (long) shift * (calls - 1);
    return holds(array, from, to) && from + moved >= 0 && to + moved <= Array.getLength(array);
  }

  /**
   * As {@link #holdsEach}, each time in the next row.
   *
   * @param isConstant the rows are always the same
   */
  public static boolean holdsEachRow(
      @Nullable Object rows,
      int first,
      int from,
      int to,
      int shift,
      int calls,
      boolean isConstant,
      Context context) {
    if (!(rows instanceof Object[] all)
        || first < 0
        || first > all.length - calls
        || from >= to
        || from < 0
        || from + (long) shift * (calls - 1) < 0) {
      return false;
    }
    if (isConstant && shift == 0) {
      return Checks.holdsRows(all, first, calls, to, context);
    }
    long end = to;
    for (int i = first; i < first + calls; i++) {
      Object row = all[i];
      if (row == null || end > Array.getLength(row)) {
        return false;
      }
      end += shift;
    }
    return true;
  }

  /** Whether there are so many rows from the first on, all of the same length. */
  public static boolean areAlike(@Nullable Object rows, int first, int calls) {
    if (!(rows instanceof Object[] all) || first < 0 || first > all.length - calls) {
      return false;
    }
    int length = length(all[first]);
    for (int i = first; i < first + calls; i++) {
      Object row = all[i];
      if (row == null || Array.getLength(row) != length) {
        return false;
      }
    }
    return true;
  }

  /** The shorter of a length and an array's; 0 for null. */
  public static int shorter(int length, @Nullable Object array) {
    return array == null ? 0 : Math.min(length, Array.getLength(array));
  }

  /** The length, if an array has so many elements; else 0. */
  public static int ifHolds(int length, @Nullable Object array, int count) {
    return array == null || Array.getLength(array) < count ? 0 : length;
  }

  /** The length, if two arrays are not the same; else 0. */
  public static int ifOther(int length, @Nullable Object array, @Nullable Object other) {
    return array == other ? 0 : length;
  }
}
