package org.reprise.anomaly.hooks;

import org.jspecify.annotations.Nullable;

/**
 * Elements of an array that a loop accessed in no order that was recognised, and that are not
 * reported yet.
 *
 * <p>Hot path: once per access. Benchmarks: {@code bench/anomalies}.
 */
public final class Indices {
  private static final int COUNT_MAX = 1024;

  private final int[] indices = new int[COUNT_MAX];
  private final Context context;
  private boolean isWrite;
  private int site;
  private @Nullable Object array;
  private int count;

  /** The next one that waits to be used again. */
  @Nullable Indices next;

  Indices(Context context) {
    this.context = context;
  }

  void start(boolean writes, int newSite) {
    isWrite = writes;
    site = newSite;
  }

  void add(Object newArray, int index) {
    if (newArray != array || count == COUNT_MAX) {
      report();
      array = newArray;
    }
    indices[count++] = index;
  }

  /** Reports what is left, and waits to be used again. */
  void finish() {
    report();
    context.giveBack(this);
  }

  private void report() {
    Object reported = array;
    if (reported != null && count > 0) {
      if (isWrite) {
        Hooks.writeElements(reported, indices, count, site, context);
      } else {
        Hooks.readElements(reported, indices, count, site, context);
      }
    }
    array = null;
    count = 0;
  }
}
