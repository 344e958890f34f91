package org.reprise.anomaly.agent.detect;

import org.jspecify.annotations.Nullable;

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
final class Run {
  /** As many times must single elements have followed each other in no order. */
  private static final int SCATTERED_MIN = 16;

  /** So few pieces follow each other by chance. */
  private static final int CHANCE_MAX = 3;

  @Nullable Object array;
  int site;
  Kind kind = Kind.READ;
  int locks;
  int access;

  /** The piece of the current block: from, below, each stride-th; and the block. */
  int from;

  int to;
  int stride;
  int tag;

  /** The array's shadow, if that is known. */
  @Nullable ArrayShadow shadow;

  /** Where earlier pieces of the current block are; null if there are none, or nobody knows. */
  @Nullable Coverage coverage;

  /** The pieces before: of {@link #count} blocks, from {@link #firstTag} on. */
  int count;

  int firstTag;
  @Nullable Neighbours neighbours;
  int firstPlace;
  int rowStep;
  int first;
  int span;
  int second;
  int secondSpan;
  int step;

  /** Whether the current piece fits, and all pieces are the same columns of their rows. */
  private boolean rests;

  /** Whether the site accesses single elements here and there, for which lists are cheaper. */
  boolean isScattered;

  private int scattered;

  /** The statement accesses the same array where nothing had led to expect it. */
  void broke() {
    if (count <= CHANCE_MAX && to - from == 1) {
      isScattered = ++scattered > SCATTERED_MIN;
    }
  }

  /** Another statement takes over. */
  void belongsTo(int newSite, Kind newKind) {
    if (site != newSite || kind != newKind) {
      site = newSite;
      kind = newKind;
      isScattered = false;
      scattered = 0;
    }
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
    rests = false;
  }

  /** The next block accesses the same columns, of the next row or the same; false: it does not. */
  boolean goesOn(Object newArray, int newFrom, int newTo, int newStride, int newTag) {
    ArrayShadow known = shadow;
    if (!rests
        || newTag != tag + 1
        || newFrom != from
        || newTo != to
        || newStride != stride
        || known == null) {
      return false;
    }
    if (rowStep == 1) {
      known = known.next;
      if (known == null || !known.refersTo(newArray) || newTo > known.length()) {
        return false;
      }
      shadow = known;
      array = newArray;
    } else if (newArray != array || rowStep != 0) {
      return false;
    }
    tag = newTag;
    count++;
    return true;
  }

  /** The current block accesses more; false if that makes no piece. */
  boolean extend(int newFrom, int newTo, int newStride) {
    rests = false;
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

  /** A new block begins with a piece of the same stride. */
  void next(Object newArray, ArrayShadow newShadow, int newFrom, int newTo, int newTag) {
    array = newArray;
    shadow = newShadow;
    from = newFrom;
    to = newTo;
    tag = newTag;
    rests =
        count > 1
            && step == 0
            && isEven()
            && newTag == firstTag + count
            && newShadow.neighbours == neighbours
            && newShadow.place == firstPlace + count * rowStep
            && newFrom == first
            && newTo - newFrom == span
            && newTo <= newShadow.length();
  }
}
