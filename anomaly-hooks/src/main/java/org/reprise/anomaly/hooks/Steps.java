package org.reprise.anomaly.hooks;

import org.jspecify.annotations.Nullable;

/**
 * What a statement accesses in one iteration of a loop after the other, as far as the detector has
 * recognised how it moves: through one row after the other or through one array, by as many
 * elements each time, or by two numbers in turn. Then an iteration that goes on like this is told
 * apart from others in the program's own code, without a call.
 *
 * <p>Hot path: once per access. Benchmarks: {@code bench/anomalies lu search sor}.
 */
public class Steps {
  /** The statement: twice its site, and one more if it writes. */
  public int statement = -1;

  /** Whether it is known how the statement moves, so that it may go on by itself. */
  public boolean rests;

  /** The piece of the last iteration: from, below, each stride-th; and the iteration. */
  public int from;

  public int to;
  public int stride;
  public int tag;
  public @Nullable Object array;

  /** The array, if that is known; always where {@link #rests}. */
  public @Nullable KnownArray shadow;

  /** How many places each array is from the one before it. */
  public int rowStep;

  /** How many iterations there were before the last. */
  public int count;

  /** By how much the piece moves next, and then in turn. */
  private int fromShift;

  private int toShift;
  private int nextFromShift;
  private int nextToShift;

  /** Whether any of these is not 0: mostly each iteration does the same in its own row. */
  private boolean moves;

  protected Steps() {}

  /** By how much the ends of the piece move next, and the time after that. */
  protected final void moveBy(int newFrom, int newTo, int nextFrom, int nextTo) {
    fromShift = newFrom;
    toShift = newTo;
    nextFromShift = nextFrom;
    nextToShift = nextTo;
    moves = (newFrom | newTo | nextFrom | nextTo) != 0;
  }

  /** The next iteration does what was expected, in the next row or the same array. */
  final boolean goOn(Object newArray, int newFrom, int newTo, int newStride, int newTag) {
    KnownArray known = shadow;
    if (!rests
        || newTag != tag + 1
        || newFrom != from + fromShift
        || newTo != to + toShift
        || newStride != stride
        || known == null) {
      return false;
    }
    if (rowStep == 1) {
      known = known.next;
      if (known == null || !known.refersTo(newArray) || newTo > known.length()) {
        return false;
      }
    } else if (newArray != array || rowStep != 0) {
      return false;
    }
    if (moves) {
      if (newFrom < 0 || newTo > known.length()) {
        return false;
      }
      from = newFrom;
      to = newTo;
      moveBy(nextFromShift, nextToShift, fromShift, toShift);
    }
    if (rowStep == 1) {
      shadow = known;
      array = newArray;
    }
    tag = newTag;
    count++;
    return true;
  }
}
