package org.reprise.anomaly.hooks;

import java.util.Arrays;
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
  private static final int NOTED_MAX = 1024;
  private static final int[][] NOTHING_NOTED = new int[0][];

  final int site;
  final boolean isWrite;
  private final Context context;
  private final int[] indices = new int[COUNT_MAX];
  private @Nullable Object array;
  private int count;
  private @Nullable Stamps stamps;

  /**
   * Arrays of indices that nobody writes any more: the last block accessed what they name, from one
   * place to another. Stamps get them together, when the block is over: the program's own loop
   * would wait for each of them.
   */
  private int[] @Nullable [] noted = NOTHING_NOTED;

  /** The array that they lead to; null where nothing is noted. */
  private @Nullable Object notedArray;

  private int notedCount;
  private int notedFrom;
  private int notedTo;
  private int notedStride;

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
      look();
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

  /** All of these at once, at the end of a loop; those that stay as they are, now or later. */
  void addAll(Object newArray, int[] all, int from, int to, int stride, boolean isConstant) {
    if (isConstant) {
      note(newArray, all, from, to, stride);
    } else {
      addEach(newArray, all, from, to, stride);
    }
  }

  private void addEach(Object newArray, int[] all, int from, int to, int stride) {
    for (int i = from; i != to; i += stride) {
      add(newArray, all[i]);
    }
    finish();
  }

  private void note(Object newArray, int[] all, int from, int to, int stride) {
    if (newArray == notedArray
        && from == notedFrom
        && to == notedTo
        && stride == notedStride
        && notedCount < noted.length) {
      noted[notedCount++] = all;
    } else {
      noteOthers(newArray, all, from, to, stride);
    }
  }

  private void noteOthers(Object newArray, int[] all, int from, int to, int stride) {
    look();
    addEach(newArray, all, from, to, stride);
    notedArray = stamps == null ? null : array;
    notedFrom = from;
    notedTo = to;
    notedStride = stride;
    if (notedArray != null && noted.length == 0) {
      noted = new int[NOTED_MAX][];
    }
  }

  /** Adds what is noted. */
  private void look() {
    int size = notedCount;
    if (size > 0 && stamps != null) {
      stamps.addAll(noted, size, notedFrom, notedTo, notedStride, lastTag);
      Arrays.fill(noted, 0, size, null);
    }
    notedCount = 0;
  }

  /** The loop is over. */
  void finish() {
    if (!context.keepsIndices()) {
      report();
    }
  }

  void report() {
    look();
    Object reported = array;
    int size = count;
    array = null;
    notedArray = null;
    stamps = null;
    count = 0;
    if (reported != null && size > 0 && context.on) {
      Checks.elements(reported, indices, size, firstTag, isWrite, site, context);
    }
  }
}
