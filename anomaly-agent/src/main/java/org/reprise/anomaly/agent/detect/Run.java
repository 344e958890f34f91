package org.reprise.anomaly.agent.detect;

import org.jspecify.annotations.Nullable;

/**
 * What one statement accessed in one array: a piece in the current block and, where the blocks are
 * iterations of a loop whose accesses are deferred, the pieces of the iterations just before, as
 * long as each lies {@link #step} further than the one before it. So whoever walks through an array
 * with the loop, or reads the same elements in each iteration, costs a few compares an iteration.
 *
 * <p>Hot path: once per access. Benchmarks: {@code bench/anomalies}.
 */
final class Run {
  /** As many times must single elements have followed each other in no order. */
  private static final int SCATTERED_MIN = 16;

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

  /** The pieces before: of {@link #count} blocks, from {@link #firstTag} on. */
  int count;

  int first;
  int span;
  int step;
  int firstTag;

  /** Whether the site accesses single elements here and there, for which lists are cheaper. */
  boolean isScattered;

  private int scattered;

  /** The statement accesses the same array where nothing had led to expect it. */
  void broke() {
    if (count <= 1 && to - from == 1) {
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
    from = newFrom;
    to = newTo;
    stride = newStride;
    tag = newTag;
    count = 0;
  }

  /** The current block accesses more; false if that makes no piece. */
  boolean extend(int newFrom, int newTo, int newStride) {
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

  /** The current piece joins those before; false if it does not lie where it should. */
  boolean commit() {
    if (count == 0) {
      first = from;
      span = to - from;
      firstTag = tag;
      step = 0;
    } else if (to - from != span || tag != firstTag + count) {
      return false;
    } else if (count == 1) {
      step = from - first;
    } else if (from != first + count * step) {
      return false;
    }
    count++;
    return true;
  }

  /** A new block begins with a piece of the same array and stride. */
  void next(int newFrom, int newTo, int newTag) {
    from = newFrom;
    to = newTo;
    tag = newTag;
  }
}
