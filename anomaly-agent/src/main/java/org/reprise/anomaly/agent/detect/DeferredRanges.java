package org.reprise.anomaly.agent.detect;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.detect.ArrayShadow.Range;

/**
 * What one thread accessed in a loop beside which nothing else runs. The last entries belong to
 * iterations since the thread last told others of itself, and only it may touch them; the rest are
 * anybody's who holds the lock.
 *
 * <p>An entry is a progression, pieces of consecutive iterations that lie equally far apart, or a
 * list of single elements. In a list a number below 0 begins another iteration: {@code -1 - n} is
 * the one n after the first.
 *
 * <p>Hot path: once per range. Benchmarks: {@code bench/anomalies}.
 */
final class DeferredRanges {
  /** Loops that list more than this are told to the shadows at once. */
  static final int COUNT_MAX = 1 << 20;

  /** The same for single elements, of which only the indices are kept. */
  private static final int LISTED_MAX = 1 << 24;

  /** The numbers of an entry; for lists span, stride and step mean nothing. */
  static final int FROM = 0;

  static final int SPAN = 1;
  static final int STRIDE = 2;
  static final int STEP = 3;
  static final int TAG = 4;
  static final int COUNT = 5;

  /** Twice the access, and one more if it writes. */
  static final int ACCESS = 6;

  /** The next entry of the same array, while the loop is joined. */
  static final int NEXT = 7;

  static final int NUMBERS = 8;

  private ArrayShadow[] shadows = new ArrayShadow[64];
  private int[] numbers = new int[NUMBERS * 64];
  private int[] @Nullable [] lists = new int[64][];
  private int count;
  private int listed;

  /** How many belong to iterations of which others may know. */
  private int ended;

  boolean isEmpty() {
    return count == 0;
  }

  boolean isFull() {
    return count >= COUNT_MAX || listed >= LISTED_MAX;
  }

  /** The pieces all lie in the array. */
  void add(
      ArrayShadow shadow,
      int from,
      int span,
      int stride,
      int step,
      int tag,
      int pieces,
      int access,
      boolean isWrite) {
    if (count == shadows.length) {
      grow();
    }
    shadows[count] = shadow;
    int[] all = numbers;
    int at = NUMBERS * count++;
    all[at + FROM] = from;
    all[at + SPAN] = span;
    all[at + STRIDE] = stride;
    all[at + STEP] = step;
    all[at + TAG] = tag;
    all[at + COUNT] = pieces;
    all[at + ACCESS] = 2 * access + (isWrite ? 1 : 0);
  }

  /** Single elements, in no order; all indices lie in the array. */
  void add(ArrayShadow shadow, int[] indices, int tag, int access, boolean isWrite) {
    add(shadow, 0, 0, 1, 0, tag, 1, access, isWrite);
    lists[count - 1] = indices;
    listed += indices.length;
  }

  private synchronized void grow() {
    lists = Arrays.copyOf(lists, 2 * count);
    shadows = Arrays.copyOf(shadows, 2 * count);
    numbers = Arrays.copyOf(numbers, 2 * NUMBERS * count);
  }

  /** Others may know of the iterations now; where nothing is deferred, the shadows are told. */
  void end(Checker own, Deferral deferral) {
    if (ended == count) {
      return;
    }
    synchronized (this) {
      if (deferral.isBroken()) {
        for (int i = ended; i < count; i++) {
          tell(own, deferral.loop, i);
        }
        count = ended;
      } else {
        ended = count;
      }
    }
  }

  /** Tells the shadows what iterations did of which others may know, as if it happened now. */
  synchronized void replay(Checker by, Fork loop) {
    for (int i = 0; i < ended; i++) {
      tell(by, loop, i);
    }
  }

  private void tell(Checker checker, Fork loop, int i) {
    forEachPiece(
        i,
        (from, to, stride, tag, access) -> {
          checker.pretend(loop, tag);
          checker.tell(shadows[i], from, to, stride, access);
          checker.stopPretending();
        });
  }

  /** One piece of an entry. */
  private interface Piece {
    void accept(int from, int to, int stride, int tag, int access);
  }

  private void forEachPiece(int i, Piece piece) {
    int at = NUMBERS * i;
    int access = numbers[at + ACCESS] >> 1;
    int tag = numbers[at + TAG];
    int[] list = lists[i];
    if (list == null) {
      int from = numbers[at + FROM];
      int step = numbers[at + STEP];
      // Of iterations that all accessed the same, two conflict with whatever any of them does.
      int pieces = step == 0 ? Math.min(2, numbers[at + COUNT]) : numbers[at + COUNT];
      for (int k = 0; k < pieces; k++, from += step) {
        piece.accept(from, from + numbers[at + SPAN], numbers[at + STRIDE], tag + k, access);
      }
    } else {
      int current = tag;
      for (int index : list) {
        if (index < 0) {
          current = tag - 1 - index;
        } else {
          piece.accept(index, index + 1, 1, current, access);
        }
      }
    }
  }

  /** Chains the entries of arrays that writers and others accessed in this loop. */
  synchronized void link(Deferral deferral, int log) {
    for (int i = 0; i < ended; i++) {
      ArrayShadow shadow = shadows[i];
      if (shadow.isMixed(deferral)) {
        numbers[NUMBERS * i + NEXT] = shadow.entries;
        shadow.entries = log * COUNT_MAX + i + 1;
      }
    }
  }

  /** All numbers, entry by entry; for the thread that joins the loop. */
  int[] numbers() {
    return numbers;
  }

  /** The list of an entry; null for a progression. */
  int @Nullable [] list(int entry) {
    return lists[entry];
  }

  /** Adds the pieces of an entry. */
  void collect(int entry, List<Range> ranges) {
    forEachPiece(
        entry,
        (from, to, stride, tag, access) -> ranges.add(new Range(from, to, stride, tag, access)));
  }

  synchronized void clear() {
    Arrays.fill(shadows, 0, count, null);
    Arrays.fill(lists, 0, count, null);
    listed = 0;
    count = 0;
    ended = 0;
  }
}
