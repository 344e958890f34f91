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

  /** The piece of the last iteration: from, below, each stride-th; and the iteration. */
  public int from;

  public int to;
  public int stride;
  public int tag;
  public @Nullable Object array;

  /** The array, if that is known; always where it rests. */
  public @Nullable KnownArray shadow;

  /** How many places each array is from the one before it. */
  public int rowStep;

  /** How many iterations there were before the last. */
  public int count;

  /** What the next iteration is expected to access, where that is known; no tag is 0. */
  private int nextTag;

  private int nextFrom;
  private int nextTo;

  /** By how much the piece moves after that, and then in turn. */
  private int fromShift;

  private int toShift;
  private int otherFromShift;
  private int otherToShift;

  /** Whether the piece moves at all: mostly each iteration does the same in its own row. */
  private boolean moves;

  protected Steps() {}

  /** Whether it is known how the statement moves, so that it may go on by itself. */
  public final boolean rests() {
    return nextTag != 0;
  }

  /** From now on nothing is expected. */
  protected final void wake() {
    nextTag = 0;
  }

  /** From now on the ends of the piece move by these numbers, first by one pair and in turn. */
  protected final void rest(int fromBy, int toBy, int otherFromBy, int otherToBy) {
    nextTag = tag + 1;
    nextFrom = from + fromBy;
    nextTo = to + toBy;
    fromShift = otherFromBy;
    toShift = otherToBy;
    otherFromShift = fromBy;
    otherToShift = toBy;
    moves = (fromBy | toBy | otherFromBy | otherToBy) != 0;
  }

  /** The next iteration does what was expected, in the next row or the same array. */
  final boolean goOn(Object newArray, int newFrom, int newTo, int newStride, int newTag) {
    KnownArray known = shadow;
    if (newTag != nextTag
        || newFrom != nextFrom
        || newTo != nextTo
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
      tag = newTag;
      rest(fromShift, toShift, otherFromShift, otherToShift);
    } else {
      tag = newTag;
      nextTag = newTag + 1;
    }
    if (rowStep == 1) {
      shadow = known;
      array = newArray;
    }
    count++;
    return true;
  }
}
