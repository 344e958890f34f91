package org.reprise.anomaly.agent.detect;

import java.util.Arrays;

/**
 * Ranges that the current block accessed and that the shadows have not been told of. What a later
 * range of the same kind and locks covers is never told: the later one would take its place in the
 * history. A task that works its way up to larger and larger parts of an array tells the largest.
 */
final class BlockRanges {
  private static final int COUNT_MAX = 1 << 12;

  /** As many ranges are looked at that may cover another one. */
  private static final int COVERS = 8;

  private final Checker checker;
  private final Accesses accesses;
  private ArrayShadow[] shadows = new ArrayShadow[16];

  /** Three numbers each: from, to, access. */
  private int[] numbers = new int[3 * 16];

  private int count;

  BlockRanges(Checker checker, Accesses accesses) {
    this.checker = checker;
    this.accesses = accesses;
  }

  void add(ArrayShadow shadow, int from, int to, int access) {
    if (count == COUNT_MAX) {
      tell();
    }
    if (count == shadows.length) {
      shadows = Arrays.copyOf(shadows, 2 * count);
      numbers = Arrays.copyOf(numbers, 6 * count);
    }
    shadows[count] = shadow;
    numbers[3 * count] = from;
    numbers[3 * count + 1] = to;
    numbers[3 * count + 2] = access;
    count++;
  }

  /** Tells the shadows, from the last range to the first. */
  void tell() {
    int[] covers = new int[COVERS];
    int covering = 0;
    for (int i = count - 1; i >= 0; i--) {
      boolean covered = false;
      int smallest = -1;
      for (int j = 0; j < covering && !covered; j++) {
        covered = covers(covers[j], i);
        if (smallest < 0 || size(covers[j]) < size(covers[smallest])) {
          smallest = j;
        }
      }
      if (!covered) {
        checker.tell(shadows[i], numbers[3 * i], numbers[3 * i + 1], 1, numbers[3 * i + 2]);
        if (covering < COVERS) {
          covers[covering++] = i;
        } else if (size(i) > size(covers[smallest])) {
          covers[smallest] = i;
        }
      }
    }
    Arrays.fill(shadows, 0, count, null);
    count = 0;
  }

  private int size(int i) {
    return numbers[3 * i + 1] - numbers[3 * i];
  }

  private boolean covers(int large, int small) {
    if (shadows[large] != shadows[small]
        || numbers[3 * large] > numbers[3 * small]
        || numbers[3 * large + 1] < numbers[3 * small + 1]) {
      return false;
    }
    Access one = accesses.get(numbers[3 * large + 2]);
    Access other = accesses.get(numbers[3 * small + 2]);
    return one.kind() == other.kind() && one.locks() == other.locks();
  }
}
