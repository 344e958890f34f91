package org.reprise.anomaly.hooks;

import org.jspecify.annotations.Nullable;

/**
 * Elements of an array that one statement accessed in no order that was recognised, and that are
 * not reported yet. A context that keeps such lists reports them when others may come to know of
 * the block; until then they may go on over several iterations, each of which begins with a number
 * below 0: {@code -1 - n} stands for the block n after the first. A context that knows better than
 * to list them gives {@link Stamps} for them.
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
  private @Nullable Stamps stamps;

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
      if (stamps != null) {
        lastTag = tag;
      } else if (count >= COUNT_MAX - 1) {
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
      stamps = Checks.stamps(newArray, isWrite, site, context);
      context.lists(this);
    }
    if (index >= 0) {
      if (stamps != null) {
        stamps.add(index, lastTag);
      } else {
        indices[count++] = index;
      }
    }
  }

  /** All of these at once, at the end of a loop. */
  void addAll(Object newArray, int[] all, int from, int to, int stride) {
    for (int i = from; i != to; i += stride) {
      add(newArray, all[i]);
    }
    finish();
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
    stamps = null;
    count = 0;
    if (reported != null && size > 0 && context.on) {
      Checks.elements(reported, indices, size, firstTag, isWrite, site, context);
    }
  }
}
