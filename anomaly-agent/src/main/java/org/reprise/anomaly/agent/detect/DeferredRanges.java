package org.reprise.anomaly.agent.detect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;

/**
 * What one thread accessed in a loop beside which nothing else runs. The last entries belong to
 * iterations since the thread last told others of itself, and only it may touch them; the rest are
 * anybody's who holds the lock.
 *
 * <p>An entry is a progression (see {@link Progressions}), or a list of single elements of one
 * array. In a list a number below 0 begins another iteration: {@code -1 - n} is the one n after the
 * first.
 *
 * <p>Hot path: once per range. Benchmarks: {@code bench/anomalies}.
 */
final class DeferredRanges {
  /** Loops that list more than this are told to the shadows at once. */
  static final int COUNT_MAX = 1 << 20;

  /** The same for single elements, of which only the indices are kept. */
  private static final int LISTED_MAX = 1 << 24;

  /** The numbers of an entry; for lists span, stride and all steps mean nothing. */
  static final int FROM = 0;

  static final int SPAN = 1;
  static final int STRIDE = 2;
  static final int STEP = 3;
  static final int TAG = 4;
  static final int TAG_STEP = 5;

  /** Where the first array is among its neighbours. */
  static final int PLACE = 6;

  static final int ROW_STEP = 7;
  static final int COUNT = 8;

  /** Twice the access, and one more if it writes. */
  static final int ACCESS = 9;

  static final int NUMBERS = 10;

  private Neighbours[] neighbours = new Neighbours[64];
  private int[] numbers = new int[NUMBERS * 64];
  private int[] @Nullable [] lists = new int[64][];
  private int count;
  private int listed;

  /** What lists would be too long for. */
  private final List<Stamped> stamped = new ArrayList<>();

  /** The last iteration with stamps of which others may know. */
  private int endedTag;

  /** Whether the shadows know of all stamps. */
  private boolean isStampedTold;

  /** How many belong to iterations of which others may know. */
  private int ended;

  boolean isEmpty() {
    return count == 0 && stamped.isEmpty();
  }

  /** Whether some of it are single elements. */
  boolean hasElements() {
    return listed > 0 || !stamped.isEmpty();
  }

  boolean isFull() {
    return count >= COUNT_MAX || listed >= LISTED_MAX;
  }

  /** The pieces before the run's current one; every second one for itself if they take turns. */
  void add(AccessRange run) {
    Neighbours all = run.neighbours;
    int pieces = run.count;
    if (all == null || pieces == 0) {
      return;
    }
    int access = 2 * run.access + (run.kind.isWrite() ? 1 : 0);
    if (run.isEven()) {
      int step = pieces > 1 ? run.second - run.first : 0;
      add(all, run.first, run.span, run.stride, step, access);
      place(run.firstTag, 1, run.firstPlace, run.rowStep, pieces);
    } else {
      add(all, run.first, run.span, run.stride, run.step, access);
      place(run.firstTag, 2, run.firstPlace, 2 * run.rowStep, (pieces + 1) / 2);
      add(all, run.second, run.secondSpan, run.stride, run.step, access);
      place(run.firstTag + 1, 2, run.firstPlace + run.rowStep, 2 * run.rowStep, pieces / 2);
    }
  }

  /**
   * A range that as many iterations access, each further than the one before by a shift, and in the
   * array as many places further as a step says. The arrays hold it.
   */
  void add(
      ArrayShadow first,
      int from,
      int to,
      int stride,
      int shift,
      int access,
      boolean isWrite,
      int tag,
      int iterations,
      int rowStep) {
    int span = (to - from - 1) / stride * stride + 1;
    add(first.neighbours, from, span, stride, shift, 2 * access + (isWrite ? 1 : 0));
    place(tag, 1, first.place, iterations == 1 ? 0 : rowStep, iterations);
  }

  private void add(Neighbours all, int from, int span, int stride, int step, int access) {
    if (count == neighbours.length) {
      grow();
    }
    neighbours[count] = all;
    int at = NUMBERS * count++;
    numbers[at + FROM] = from;
    numbers[at + SPAN] = span;
    numbers[at + STRIDE] = span == 1 ? 1 : stride;
    numbers[at + STEP] = step;
    numbers[at + ACCESS] = access;
  }

  private void place(int tag, int tagStep, int place, int rowStep, int pieces) {
    int at = NUMBERS * (count - 1);
    numbers[at + TAG] = tag;
    numbers[at + TAG_STEP] = tagStep;
    numbers[at + PLACE] = place;
    numbers[at + ROW_STEP] = rowStep;
    numbers[at + COUNT] = pieces;
  }

  /** Single elements, in no order; all indices lie in the array. */
  void add(ArrayShadow shadow, int[] indices, int tag, int access, boolean isWrite) {
    add(shadow.neighbours, 0, shadow.length(), 1, 0, 2 * access + (isWrite ? 1 : 0));
    place(tag, 1, shadow.place, 0, 1);
    lists[count - 1] = indices;
    listed += indices.length;
  }

  /** Single elements of this loop are stamped from now on. */
  synchronized void add(Stamped elements) {
    stamped.add(elements);
  }

  private synchronized void grow() {
    lists = Arrays.copyOf(lists, 2 * count);
    neighbours = Arrays.copyOf(neighbours, 2 * count);
    numbers = Arrays.copyOf(numbers, 2 * NUMBERS * count);
  }

  /** Others may know of the iterations now; where nothing is deferred, the shadows are told. */
  void end(Checker own, Deferral deferral) {
    if (ended == count && (stamped.isEmpty() || isStampedTold)) {
      return;
    }
    synchronized (this) {
      if (deferral.isBroken()) {
        for (int i = ended; i < count; i++) {
          tell(own, deferral.loop, i);
        }
        // The next entry there may be a progression, which has no list.
        Arrays.fill(lists, ended, count, null);
        count = ended;
        if (!isStampedTold) {
          tellStamped(own, deferral.loop, endedTag, Integer.MAX_VALUE);
          isStampedTold = true;
        }
      } else {
        ended = count;
        endedTag = own.isIn(deferral) ? Math.max(endedTag, own.tag) : endedTag;
      }
    }
  }

  /** Tells the shadows what iterations did of which others may know, as if it happened now. */
  synchronized void replay(Checker by, Fork loop) {
    for (int i = 0; i < ended; i++) {
      tell(by, loop, i);
    }
    tellStamped(by, loop, loop.tag(), endedTag);
  }

  /**
   * Tells what iterations after one, up to another, have stamped. Each must be told once: a task
   * that it forked takes its place in the history, and conflicts with whoever is told later.
   */
  private void tellStamped(Checker checker, Fork loop, int after, int upTo) {
    for (Stamped elements : stamped) {
      elements.forEach(
          after,
          upTo,
          (index, tag, access) -> {
            checker.pretend(loop, tag);
            checker.tell(elements.shadow, index, index + 1, 1, access);
            checker.stopPretending();
          });
    }
  }

  /** Whether iterations with this tag or less have ended. */
  boolean hasEnded(int tag) {
    return tag <= endedTag;
  }

  private void tell(Checker checker, Fork loop, int i) {
    for (int k = 0; k < differentPieces(i); k++) {
      ArrayShadow shadow = shadow(i, k);
      forEachRange(
          i,
          k,
          (from, to, stride, tag, access) -> {
            checker.pretend(loop, tag);
            checker.tell(shadow, from, to, stride, access);
            checker.stopPretending();
          });
    }
  }

  /**
   * How many pieces matter. Of iterations that all accessed the same, two conflict with whatever
   * any of them does.
   */
  int differentPieces(int entry) {
    int at = NUMBERS * entry;
    boolean isSame = numbers[at + STEP] == 0 && numbers[at + ROW_STEP] == 0;
    return isSame ? Math.min(2, numbers[at + COUNT]) : numbers[at + COUNT];
  }

  /** A range that one iteration accessed. */
  interface Action {
    void accept(int from, int to, int stride, int tag, int access);
  }

  /** The ranges of a piece; a list is one piece, of one element each. */
  void forEachRange(int entry, int piece, Action action) {
    int at = NUMBERS * entry;
    int access = numbers[at + ACCESS] >> 1;
    int[] list = lists[entry];
    if (list == null) {
      int from = numbers[at + FROM] + piece * numbers[at + STEP];
      int tag = numbers[at + TAG] + piece * numbers[at + TAG_STEP];
      action.accept(from, from + numbers[at + SPAN], numbers[at + STRIDE], tag, access);
      return;
    }
    int first = numbers[at + TAG];
    int tag = first;
    for (int index : list) {
      if (index < 0) {
        tag = first - 1 - index;
      } else {
        action.accept(index, index + 1, 1, tag, access);
      }
    }
  }

  /** The shadow of the array that a piece of an entry lies in. */
  ArrayShadow shadow(int entry, int piece) {
    int at = NUMBERS * entry;
    ArrayShadow shadow = neighbours[entry].at(numbers[at + PLACE] + piece * numbers[at + ROW_STEP]);
    if (shadow == null) {
      throw new IllegalStateException("no array there");
    }
    return shadow;
  }

  /** How many entries there are, for the thread that joins the loop. */
  synchronized int size() {
    return ended;
  }

  /** All numbers, entry by entry. */
  int[] numbers() {
    return numbers;
  }

  Neighbours neighbours(int entry) {
    return neighbours[entry];
  }

  /** The list of an entry; null for a progression. */
  int @Nullable [] list(int entry) {
    return lists[entry];
  }

  /** What was stamped, for the thread that joins the loop. */
  synchronized List<Stamped> stamped() {
    return stamped;
  }

  synchronized void clear() {
    Arrays.fill(neighbours, 0, count, null);
    if (listed > 0) {
      Arrays.fill(lists, 0, count, null);
    }
    stamped.forEach(Stamped::end);
    stamped.clear();
    isStampedTold = false;
    endedTag = 0;
    listed = 0;
    count = 0;
    ended = 0;
  }
}
