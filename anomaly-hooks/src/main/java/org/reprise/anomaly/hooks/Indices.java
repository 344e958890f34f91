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
  private static final int NOTED_MIN = 64;
  private static final int NOTED_MAX = 1 << 16;
  private static final int[][] NOTHING_NOTED = new int[0][];

  final int site;
  final boolean isWrite;

  /** Twice the site, and one more if it writes. */
  final int statement;

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

  /** The array that they lead to; null where nothing is noted. It may be listed besides. */
  private @Nullable Object notedArray;

  private @Nullable Stamps notedStamps;

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
    this.statement = 2 * site + (isWrite ? 1 : 0);
  }

  /** The context is in this block now. */
  void begin(int tag) {
    if (lastTag != tag && (array != null || notedArray != null)) {
      look();
      if (stamps != null || array == null) {
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
      if (stamps != null) {
        stamps.mix();
      }
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

  /** Notes a list that is traversed as the last one was, in the same block. */
  boolean goOn(Object newArray, int[] all, int from, int to, int stride, int tag) {
    boolean goesOn =
        newArray == notedArray
            && tag == lastTag
            && from == notedFrom
            && to == notedTo
            && stride == notedStride
            && notedCount < noted.length;
    if (goesOn) {
      noted[notedCount++] = all;
    }
    return goesOn;
  }

  /** Notes a list that stays as it is: its elements are added when the block is over. */
  void note(Object newArray, int[] all, int from, int to, int stride) {
    boolean goesOn =
        newArray == notedArray && from == notedFrom && to == notedTo && stride == notedStride;
    if (!goesOn || notedCount == NOTED_MAX) {
      look();
    }
    if (findStamps(newArray) == null) {
      addAll(newArray, all, from, to, stride);
      return;
    }
    notedFrom = from;
    notedTo = to;
    notedStride = stride;
    if (notedCount == noted.length) {
      noted = Arrays.copyOf(noted, Math.max(NOTED_MIN, 2 * noted.length));
    }
    noted[notedCount++] = all;
  }

  /** Adds what the rows of a route name, each from one place to another. */
  void addAll(Object newArray, Route route, int from, int to, int stride) {
    if (newArray != notedArray) {
      look();
    }
    Stamps found = findStamps(newArray);
    if (found == null) {
      for (int[] row : route.rows()) {
        addAll(newArray, row, from, to, stride);
      }
    } else {
      found.addAll(route, from, to, stride, lastTag);
    }
  }

  /** The stamps for lists that lead to an array, which are noted from now on; null for none. */
  private @Nullable Stamps findStamps(Object newArray) {
    if (newArray != notedArray) {
      boolean isListed = newArray == array && stamps == null;
      Stamps found = isListed ? null : Checks.stamps(newArray, isWrite, site, context);
      notedArray = found == null ? null : newArray;
      notedStamps = found;
      if (found != null) {
        lastTag = context.tag;
        context.lists(this);
      }
    }
    return notedStamps;
  }

  /** Adds what is noted. */
  private void look() {
    int size = notedCount;
    notedCount = 0;
    if (size > 0 && notedStamps != null) {
      Checks.addAll(notedStamps, noted, size, notedFrom, notedTo, notedStride, lastTag);
      Arrays.fill(noted, 0, size, null);
    }
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
    notedStamps = null;
    stamps = null;
    count = 0;
    if (reported != null && size > 0 && context.on) {
      Checks.elements(reported, indices, size, firstTag, isWrite, site, context);
    }
  }
}
