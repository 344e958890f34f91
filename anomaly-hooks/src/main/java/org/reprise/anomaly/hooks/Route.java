package org.reprise.anomaly.hooks;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a loop goes through that calls a method for one row of indices after the other: {@code
 * element(numbers[e])}, which accesses {@code x[corners[number][j]]}. Nobody writes the rows any
 * more, so a route stays as it is; it is the loop's as long as the numbers are the same. There is
 * one only if all rows are there and have the places that the method looks at, so that nothing can
 * be thrown but by an array that is too short for the {@link #highest} index.
 */
public class Route {
  private final int[][] all;

  /** What the numbers were; null for a route that goes from row to row. */
  private final int @Nullable [] numbers;

  private final int from;
  private final int low;
  private final int high;
  private final int highest;
  private final int[][] rows;

  /** The same route. */
  protected Route(Route other) {
    this.all = other.all;
    this.numbers = other.numbers;
    this.from = other.from;
    this.low = other.low;
    this.high = other.high;
    this.highest = other.highest;
    this.rows = other.rows;
  }

  private Route(
      int[][] all,
      int @Nullable [] numbers,
      int from,
      int low,
      int high,
      int highest,
      int[][] rows) {
    this.all = all;
    this.numbers = numbers;
    this.from = from;
    this.low = low;
    this.high = high;
    this.highest = highest;
    this.rows = rows;
  }

  /**
   * The route through {@code all[numbers[from]]}, ... up to but excluding {@code numbers[to]}; or
   * through {@code all[from]}, ... without numbers. Null if there is none.
   *
   * @param low the first place that the method looks at in each row
   * @param high behind the last one
   */
  public static @Nullable Route of(
      int[][] all, int @Nullable [] numbers, int from, int to, int low, int high) {
    int limit = numbers == null ? all.length : numbers.length;
    if (from < 0 || from >= to || to > limit || low < 0) {
      return null;
    }
    // A copy that is looked at: others may write the array meanwhile, which is their anomaly.
    int[] copy = numbers == null ? null : Arrays.copyOfRange(numbers, from, to);
    int[][] rows = new int[to - from][];
    int highest = -1;
    for (int i = 0; i < rows.length; i++) {
      int number = copy == null ? from + i : copy[i];
      int[] row = number < 0 || number >= all.length ? null : all[number];
      if (row == null || row.length < high) {
        return null;
      }
      for (int place = low; place < high; place++) {
        if (row[place] < 0) {
          return null;
        }
        highest = Math.max(highest, row[place]);
      }
      rows[i] = row;
    }
    return new Route(all, copy, from, low, high, highest, rows);
  }

  /** The first row of a route that may be known; null if there is none. */
  public static int @Nullable [] first(int[][] all, int @Nullable [] numbers, int from) {
    int number = from;
    if (numbers != null) {
      number = from < 0 || from >= numbers.length ? -1 : numbers[from];
    }
    return number < 0 || number >= all.length ? null : all[number];
  }

  /** Whether it is this route. Hot path: once per loop. */
  public final boolean isOf(
      int[][] otherAll,
      int @Nullable [] otherNumbers,
      int otherFrom,
      int otherTo,
      int otherLow,
      int otherHigh) {
    if (otherAll != all
        || otherTo - otherFrom != rows.length
        || otherLow != low
        || otherHigh != high) {
      return false;
    }
    int[] known = numbers;
    if (known == null || otherNumbers == null) {
      return known == otherNumbers && otherFrom == from;
    }
    return otherFrom >= 0
        && otherFrom < otherTo
        && otherTo <= otherNumbers.length
        && Arrays.equals(otherNumbers, otherFrom, otherTo, known, 0, known.length);
  }

  /** The highest of the indices in those places; none of them is below 0. */
  final int highest() {
    return highest;
  }

  /** How many rows there are. */
  public final int count() {
    return rows.length;
  }

  /** The rows, one for each call; nobody writes them. */
  public final int[][] rows() {
    return rows;
  }
}
