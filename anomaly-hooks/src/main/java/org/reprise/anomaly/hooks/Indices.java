package org.reprise.anomaly.hooks;

import org.jspecify.annotations.Nullable;

/**
 * Elements of an array that one statement accessed in no order that was recognised, and that are
 * not reported yet. A context that keeps such lists reports them when others may come to know of
 * the block; until then they may go on over several iterations, each of which begins with a number
 * below 0: {@code -1 - n} stands for the block n after the first.
 *
 * <p>Hot path: once per access. Benchmarks: {@code bench/anomalies}.
 */
public final class Indices {
  private static final int COUNT_MAX = 1024;

  final int site;
  final boolean isWrite;
  private final Context context;
  private final int[] indices = new int[COUNT_MAX];
  private @Nullable Object array;
  private int count;

  /** The blocks of the first and of the last elements. */
  private int firstTag;

  private int lastTag;

  Indices(Context context, boolean isWrite, int site) {
    this.context = context;
    this.isWrite = isWrite;
    this.site = site;
  }

  /** The context is in this block now. */
  void begin(int tag) {
    if (lastTag != tag && array != null) {
      if (count >= COUNT_MAX - 1) {
        report();
      } else {
        indices[count++] = firstTag - 1 - tag;
        lastTag = tag;
      }
    }
  }

  void add(Object newArray, int index) {
    if (newArray != array || count == COUNT_MAX) {
      report();
      array = newArray;
      firstTag = context.tag;
      lastTag = firstTag;
      context.lists(this);
    }
    if (index >= 0) {
      indices[count++] = index;
    }
  }

  /** The loop is over. */
  void finish() {
    if (!context.keepsIndices()) {
      report();
    }
  }

  void report() {
    Object reported = array;
    int size = count;
    array = null;
    count = 0;
    if (reported != null && size > 0) {
      if (isWrite) {
        Hooks.writeElements(reported, indices, size, firstTag, site, context);
      } else {
        Hooks.readElements(reported, indices, size, firstTag, site, context);
      }
    }
  }
}
