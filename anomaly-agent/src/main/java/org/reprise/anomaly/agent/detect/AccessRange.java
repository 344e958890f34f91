package org.reprise.anomaly.agent.detect;

import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.detect.history.Kind;
import org.reprise.anomaly.hooks.Steps;

/**
 * What one statement accessed: a piece of an array in the current block and, where the blocks are
 * iterations of a loop whose accesses are deferred, the pieces of the iterations just before. Each
 * lies in an array {@link #rowStep} places further than the one before it, and {@link #step}
 * elements further than the one two before: red and black points take turns. So whoever walks
 * through an array or a matrix with the loop, or reads the same elements in each iteration, costs a
 * few compares an iteration.
 *
 * <p>Hot path: once per access. Benchmarks: {@code bench/anomalies}.
 */
final class AccessRange extends Steps {
  /** As many times must single elements have followed each other in no order. */
  private static final int SCATTERED_MIN = 16;

  /** So few pieces follow each other by chance. */
  private static final int CHANCE_MAX = 3;

  int site;
  Kind kind = Kind.READ;
  int locks;
  int access;

  /** Where earlier pieces of the current block are; null if there are none, or nobody knows. */
  @Nullable Coverage coverage;

  /** The first of the iterations before, of which there are {@link #count}. */
  int firstTag;

  @Nullable Neighbours neighbours;
  int firstPlace;
  int first;
  int span;
  int second;
  int secondSpan;
  int step;

  /** Whether the site accesses single elements here and there, for which lists are cheaper. */
  boolean isScattered;

  private int scattered;

  /** How the statement moved through the last leaf of a loop, if it moved evenly. */
  private boolean isSteady;

  private int steadyRows;
  private int steadyShift;

  /** The statement accesses the same array where nothing had led to expect it. */
  void broke() {
    if (count <= CHANCE_MAX && to - from == 1) {
      isScattered = ++scattered > SCATTERED_MIN;
    }
  }

  /** The number by which the program's code knows the statement. */
  static int statement(int site, Kind kind) {
    return 2 * site + (kind.isWrite() ? 1 : 0);
  }

  /** What was there has been taken. */
  void end() {
    if (count > 1) {
      isSteady = isEven();
      steadyRows = rowStep;
      steadyShift = second - first;
    }
    array = null;
    wake();
  }

  /** Another statement takes over. */
  void belongsTo(int newSite, Kind newKind) {
    statement = statement(newSite, newKind);
    if (site != newSite || kind != newKind) {
      site = newSite;
      kind = newKind;
      isScattered = false;
      scattered = 0;
      isSteady = false;
    }
  }

  /** Whether the current piece lies elsewhere, after many that followed each other evenly. */
  boolean turns() {
    return !rests() && count > CHANCE_MAX && isEven();
  }

  /** The pieces before have been taken, and the current one is the first of as even a row. */
  void turn(ArrayShadow known) {
    isSteady = true;
    steadyRows = rowStep;
    steadyShift = second - first;
    count = 0;
    expectTheSame(known);
  }

  /** Whether the statement is expected to move as it did before. */
  boolean isSteady() {
    return isSteady;
  }

  /**
   * The piece just started is the first of a leaf, or of more rows, and those after it are expected
   * where they would be if the statement moved as it did before; {@link #commit} asks where they
   * are.
   */
  void expectTheSame(ArrayShadow known) {
    shadow = known;
    if (from < 0 || to > known.length()) {
      return;
    }
    neighbours = known.neighbours;
    firstPlace = known.place;
    firstTag = tag;
    first = from;
    span = to - from;
    rowStep = steadyRows;
    second = from + steadyShift;
    secondSpan = span;
    step = 2 * steadyShift;
    rest(steadyShift, steadyShift, steadyShift, steadyShift);
  }

  /** Starts with one piece; whatever was there has been taken. */
  void start(Object newArray, int newFrom, int newTo, int newStride, int newTag) {
    array = newArray;
    shadow = null;
    coverage = null;
    from = newFrom;
    to = newTo;
    stride = newStride;
    tag = newTag;
    count = 0;
    wake();
  }

  /** The current block accesses more; false if that makes no piece. */
  boolean extend(int newFrom, int newTo, int newStride) {
    wake();
    if (stride == 1 && newStride == 1) {
      if (newFrom <= to && newTo >= from) {
        from = Math.min(from, newFrom);
        to = Math.max(to, newTo);
        return true;
      }
      return false;
    }
    return newStride == stride && newFrom == from && newTo == to;
  }

  /**
   * The current piece, as far as it is in the array, joins those before; false if it does not lie
   * where it should.
   */
  boolean commit(ArrayShadow known) {
    int low = from < 0 ? from + (-from + stride - 1) / stride * stride : from;
    int width = Math.min(to, known.length()) - low;
    if (width <= 0) {
      return true;
    }
    if (count == 0) {
      neighbours = known.neighbours;
      firstPlace = known.place;
      firstTag = tag;
      first = low;
      span = width;
      rowStep = 0;
      step = 0;
    } else if (tag != firstTag + count || known.neighbours != neighbours) {
      return false;
    } else if (count == 1) {
      rowStep = known.place - firstPlace;
      second = low;
      secondSpan = width;
      step = 2 * (low - first);
    } else if (known.place != firstPlace + count * rowStep) {
      return false;
    } else if (count == 2) {
      if (width != span) {
        return false;
      }
      step = low - first;
    } else {
      boolean isOdd = (count & 1) != 0;
      if (width != (isOdd ? secondSpan : span)
          || low != (isOdd ? second : first) + (count >> 1) * step) {
        return false;
      }
    }
    count++;
    return true;
  }

  /** Whether each piece lies as far from the one before it as all others do. */
  boolean isEven() {
    return count < 2 || (span == secondSpan && step == 2 * (second - first));
  }

  /**
   * A new block begins with a piece of the same stride.
   *
   * @param mayRest whether blocks that do what is expected need not say so
   */
  void next(
      Object newArray, ArrayShadow newShadow, int newFrom, int newTo, int newTag, boolean mayRest) {
    array = newArray;
    shadow = newShadow;
    from = newFrom;
    to = newTo;
    tag = newTag;
    boolean isOdd = (count & 1) != 0;
    boolean isExpected =
        mayRest
            && count > 1
            && newTag == firstTag + count
            && newShadow.neighbours == neighbours
            && newShadow.place == firstPlace + count * rowStep
            && newFrom == (isOdd ? second : first) + (count >> 1) * step
            && newTo - newFrom == (isOdd ? secondSpan : span)
            && newFrom >= 0
            && newTo <= newShadow.length();
    wake();
    if (isExpected) {
      int fromShift = second - first;
      int toShift = fromShift + secondSpan - span;
      rest(
          isOdd ? step - fromShift : fromShift,
          isOdd ? step - toShift : toShift,
          isOdd ? fromShift : step - fromShift,
          isOdd ? toShift : step - toShift);
    }
  }
}
