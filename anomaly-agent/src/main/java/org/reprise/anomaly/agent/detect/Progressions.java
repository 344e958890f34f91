package org.reprise.anomaly.agent.detect;

import static org.reprise.anomaly.agent.detect.DeferredRanges.COUNT;
import static org.reprise.anomaly.agent.detect.DeferredRanges.FROM;
import static org.reprise.anomaly.agent.detect.DeferredRanges.SPAN;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STEP;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STRIDE;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG;

/**
 * Whether two progressions have an element in common that different iterations accessed. Piece k of
 * a progression is {@code [from + k * step, from + k * step + span)}, each stride-th element, and
 * belongs to the iteration {@code tag + k}.
 *
 * <p>Hot path: once per pair of ranges of an array that a loop both writes and shares. Benchmarks:
 * {@code bench/anomalies sor}.
 */
final class Progressions {
  private Progressions() {}

  /** The progressions are at {@code a} and {@code b} of the numbers; they may be the same one. */
  static boolean meet(int[] numbers, int a, int b) {
    if (areApart(numbers, a, b)) {
      return false;
    }
    if (numbers[a + COUNT] == 1 && numbers[b + COUNT] == 1) {
      return numbers[a + TAG] != numbers[b + TAG]
          && meet(
              numbers[a + FROM],
              numbers[a + SPAN],
              numbers[a + STRIDE],
              numbers[b + FROM],
              numbers[b + SPAN],
              numbers[b + STRIDE]);
    }
    if (numbers[a + STRIDE] != 1 || numbers[b + STRIDE] != 1) {
      return anyPiecesMeet(numbers, a, b);
    }
    if (numbers[a + STEP] == numbers[b + STEP]
        && numbers[a + COUNT] > 1
        && numbers[b + COUNT] > 1) {
      return parallelMeet(numbers, a, b);
    }
    int few = numbers[a + COUNT] <= numbers[b + COUNT] ? a : b;
    int many = few == a ? b : a;
    for (int k = 0; k < numbers[few + COUNT]; k++) {
      int from = numbers[few + FROM] + k * numbers[few + STEP];
      if (pieceMeets(numbers, many, from, numbers[few + SPAN], numbers[few + TAG] + k)) {
        return true;
      }
    }
    return false;
  }

  private static boolean areApart(int[] numbers, int a, int b) {
    return end(numbers, a) <= start(numbers, b) || end(numbers, b) <= start(numbers, a);
  }

  private static int start(int[] numbers, int a) {
    return numbers[a + FROM] + Math.min(0, numbers[a + STEP]) * (numbers[a + COUNT] - 1);
  }

  private static int end(int[] numbers, int a) {
    return numbers[a + FROM]
        + Math.max(0, numbers[a + STEP]) * (numbers[a + COUNT] - 1)
        + numbers[a + SPAN];
  }

  /** Whether two ranges have an element in common. */
  private static boolean meet(int from, int span, int stride, int from2, int span2, int stride2) {
    int last = Math.min(from + span, from2 + span2);
    int first = Math.max(from, from2);
    if (first >= last) {
      return false;
    }
    if (stride == 1 && stride2 == 1) {
      return true;
    }
    int wide = Math.max(stride, stride2);
    int wideFrom = wide == stride ? from : from2;
    int narrow = wide == stride ? stride2 : stride;
    int narrowFrom = wide == stride ? from2 : from;
    first += Math.floorMod(wideFrom - first, wide);
    // The remainders repeat after as many steps as the narrow stride is long.
    for (int i = 0; i < narrow && first < last; i++, first += wide) {
      if ((first - narrowFrom) % narrow == 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean anyPiecesMeet(int[] numbers, int a, int b) {
    for (int k = 0; k < numbers[a + COUNT]; k++) {
      for (int m = 0; m < numbers[b + COUNT]; m++) {
        if (numbers[a + TAG] + k != numbers[b + TAG] + m
            && meet(
                numbers[a + FROM] + k * numbers[a + STEP],
                numbers[a + SPAN],
                numbers[a + STRIDE],
                numbers[b + FROM] + m * numbers[b + STEP],
                numbers[b + SPAN],
                numbers[b + STRIDE])) {
          return true;
        }
      }
    }
    return false;
  }

  /** Both have the same step: whether pieces meet depends on how far apart their numbers are. */
  private static boolean parallelMeet(int[] numbers, int a, int b) {
    int step = numbers[a + STEP];
    if (step == 0) {
      // They overlap, and each has at least two iterations.
      return true;
    }
    // Pieces k of a and m of b meet if -spanA < apart + (k - m) * step < spanB.
    int apart = numbers[a + FROM] - numbers[b + FROM];
    int low = 1 - numbers[a + SPAN] - apart;
    int high = numbers[b + SPAN] - 1 - apart;
    int least = step > 0 ? -Math.floorDiv(-low, step) : -Math.floorDiv(-high, step);
    int greatest = step > 0 ? Math.floorDiv(high, step) : Math.floorDiv(low, step);
    least = Math.max(least, 1 - numbers[b + COUNT]);
    greatest = Math.min(greatest, numbers[a + COUNT] - 1);
    int same = numbers[b + TAG] - numbers[a + TAG];
    return least < greatest || (least == greatest && least != same);
  }

  /** Whether a piece meets one of another iteration. */
  private static boolean pieceMeets(int[] numbers, int a, int from, int span, int tag) {
    int step = numbers[a + STEP];
    int low = from - numbers[a + SPAN] + 1 - numbers[a + FROM];
    int high = from + span - 1 - numbers[a + FROM];
    int least;
    int greatest;
    if (step == 0) {
      if (low > 0 || high < 0) {
        return false;
      }
      least = 0;
      greatest = numbers[a + COUNT] - 1;
    } else {
      least = step > 0 ? -Math.floorDiv(-low, step) : -Math.floorDiv(-high, step);
      greatest = step > 0 ? Math.floorDiv(high, step) : Math.floorDiv(low, step);
      least = Math.max(least, 0);
      greatest = Math.min(greatest, numbers[a + COUNT] - 1);
    }
    return least < greatest || (least == greatest && numbers[a + TAG] + least != tag);
  }
}
