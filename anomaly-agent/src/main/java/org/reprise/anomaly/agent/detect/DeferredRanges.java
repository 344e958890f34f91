package org.reprise.anomaly.agent.detect;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.detect.ArrayShadow.Range;

/**
 * What one thread accessed in a loop beside which nothing else runs. The last entries belong to the
 * iteration that is going on, which only its own thread may touch; the others are anybody's who
 * holds the lock.
 *
 * <p>Hot path: once per range. Benchmarks: {@code bench/anomalies}.
 */
final class DeferredRanges {
  /** Loops that list more than this are told to the shadows at once. */
  private static final int COUNT_MAX = 1 << 20;

  /** The same for single elements, of which only the indices are kept. */
  private static final int LISTED_MAX = 1 << 24;

  private ArrayShadow[] shadows = new ArrayShadow[64];

  /** Five numbers each: from, to, stride, access, tag. */
  private int[] numbers = new int[5 * 64];

  /** The indices, for entries that are no range. */
  private int[] @Nullable [] lists = new int[64][];

  private int count;
  private int listed;

  /** How many belong to iterations that have ended. */
  private int ended;

  /** Whether there is room for one more. */
  boolean isFull() {
    return count >= COUNT_MAX || listed >= LISTED_MAX;
  }

  void add(ArrayShadow shadow, int from, int to, int stride, int access, int tag) {
    if (count == shadows.length) {
      grow();
    }
    shadows[count] = shadow;
    int at = 5 * count++;
    numbers[at] = from;
    numbers[at + 1] = to;
    numbers[at + 2] = stride;
    numbers[at + 3] = access;
    numbers[at + 4] = tag;
  }

  /** Single elements, in no order; all indices lie in the array. */
  void add(ArrayShadow shadow, int[] indices, int access, int tag) {
    add(shadow, 0, 0, 1, access, tag);
    lists[count - 1] = indices;
    listed += indices.length;
  }

  private synchronized void grow() {
    lists = Arrays.copyOf(lists, 2 * count);
    shadows = Arrays.copyOf(shadows, 2 * count);
    numbers = Arrays.copyOf(numbers, 10 * count);
  }

  /** The iteration ends; if nothing is deferred any more, its entries are told to the shadows. */
  void end(Checker own, Deferral deferral) {
    if (ended == count) {
      return;
    }
    synchronized (this) {
      if (deferral.isBroken()) {
        for (int i = ended; i < count; i++) {
          tell(own, i);
        }
        count = ended;
      } else {
        ended = count;
      }
    }
  }

  /** Tells the shadows what iterations that have ended did, as if it happened now. */
  synchronized void replay(Checker by, Fork loop) {
    for (int i = 0; i < ended; i++) {
      by.pretend(loop, numbers[5 * i + 4]);
      tell(by, i);
      by.stopPretending();
    }
  }

  private void tell(Checker checker, int i) {
    int at = 5 * i;
    int access = numbers[at + 3];
    int[] list = lists[i];
    if (list == null) {
      checker.tell(shadows[i], numbers[at], numbers[at + 1], numbers[at + 2], access);
    } else {
      for (int index : list) {
        checker.tell(shadows[i], index, index + 1, 1, access);
      }
    }
  }

  /** Adds the ranges of the given arrays. */
  synchronized void collect(Map<ArrayShadow, List<Range>> ranges) {
    for (int i = 0; i < ended; i++) {
      List<Range> collected = ranges.get(shadows[i]);
      if (collected != null) {
        int at = 5 * i;
        int access = numbers[at + 3];
        int tag = numbers[at + 4];
        int[] list = lists[i];
        if (list == null) {
          collected.add(new Range(numbers[at], numbers[at + 1], numbers[at + 2], tag, access));
        } else {
          for (int index : list) {
            collected.add(new Range(index, index + 1, 1, tag, access));
          }
        }
      }
    }
  }

  synchronized void clear() {
    Arrays.fill(shadows, 0, count, null);
    Arrays.fill(lists, 0, count, null);
    listed = 0;
    count = 0;
    ended = 0;
  }
}
