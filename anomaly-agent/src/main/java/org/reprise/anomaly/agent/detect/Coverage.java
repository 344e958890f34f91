package org.reprise.anomaly.agent.detect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.detect.history.Kind;

/**
 * What the current block accessed of one array in one way, and has not told the array's shadow: a
 * few ranges that are apart, each with the access that made it. A range inside another adds
 * nothing, and a larger one takes the place of those inside it: whoever conflicts with the one that
 * is gone conflicts with it, too. So a task that works its way up to larger and larger parts of an
 * array keeps about as many ranges as there are sizes of parts.
 *
 * <p>Hot path: once per loop that accesses a range. Benchmark: {@code bench/anomalies merge-sort}.
 */
final class Coverage {
  /** To look for one among more ranges costs more than to begin again. */
  private static final int RANGES_MAX = 32;

  private @Nullable ArrayShadow shadow;
  private Kind kind = Kind.READ;
  private int locks;
  private int length;

  /** In rising order. */
  private int[] starts = new int[4];

  private int[] ends = new int[4];
  private int[] accesses = new int[4];
  private int size;

  /** The range that was added last. */
  private int last;

  /** Takes the ranges that are told. */
  interface Listener {
    void tell(ArrayShadow shadow, int from, int to, int access);
  }

  /** Begins with nothing. */
  void begin(ArrayShadow newShadow, Kind newKind, int newLocks) {
    shadow = newShadow;
    kind = newKind;
    locks = newLocks;
    length = newShadow.length();
  }

  boolean isOf(ArrayShadow other, Kind otherKind, int otherLocks) {
    return shadow == other && kind == otherKind && locks == otherLocks;
  }

  /** Whether something should be done before another range is added. */
  boolean isFull() {
    return size >= RANGES_MAX;
  }

  /** Whether it is of this array, accessed like this. */
  boolean isOf(AccessRange run) {
    return kind == run.kind
        && locks == run.locks
        && run.array != null
        && shadow != null
        && shadow.refersTo(run.array);
  }

  /** The block accessed elements from {@code from} below {@code to}, as far as there are any. */
  void add(int from, int to, int access) {
    if (last < size && starts[last] <= from && to <= ends[last]) {
      return;
    }
    int inside = Math.max(from, 0);
    int below = Math.min(to, length);
    if (inside < below) {
      insert(inside, below, access);
    }
  }

  private void insert(int from, int to, int access) {
    int first = firstEndingAt(from);
    int start = from;
    if (first < size && starts[first] <= from) {
      if (to <= ends[first]) {
        last = first;
        return;
      }
      if (accesses[first] == access) {
        start = starts[first];
      } else {
        // What is left of it ends here; nothing is left if it begins here.
        ends[first] = from;
        first += starts[first] < from ? 1 : 0;
      }
    }
    int end = to;
    int next = first;
    while (next < size && ends[next] <= to) {
      next++;
    }
    if (next < size && starts[next] <= to) {
      if (accesses[next] == access) {
        end = ends[next++];
      } else {
        starts[next] = to;
      }
    }
    replace(first, next, start, end, access);
  }

  /** The first range that ends at the element or behind it. */
  private int firstEndingAt(int index) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] >= index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Puts one range in place of those from one to below another. */
  private void replace(int first, int next, int from, int to, int access) {
    if (next != first + 1) {
      if (first == next && size == starts.length) {
        starts = Arrays.copyOf(starts, 2 * size);
        ends = Arrays.copyOf(ends, 2 * size);
        accesses = Arrays.copyOf(accesses, 2 * size);
      }
      int behind = size - next;
      System.arraycopy(starts, next, starts, first + 1, behind);
      System.arraycopy(ends, next, ends, first + 1, behind);
      System.arraycopy(accesses, next, accesses, first + 1, behind);
      size = first + 1 + behind;
    }
    starts[first] = from;
    ends[first] = to;
    accesses[first] = access;
    last = first;
  }

  /** Hands over all ranges, and begins again. */
  void tell(Listener listener) {
    ArrayShadow told = shadow;
    int count = size;
    size = 0;
    last = 0;
    for (int i = 0; told != null && i < count; i++) {
      listener.tell(told, starts[i], ends[i], accesses[i]);
    }
  }

  /** Lets go of the array. */
  void forget() {
    shadow = null;
  }
}
