package org.reprise.anomaly.agent.detect;

import static org.reprise.anomaly.agent.detect.DeferredRanges.COUNT;
import static org.reprise.anomaly.agent.detect.DeferredRanges.FROM;
import static org.reprise.anomaly.agent.detect.DeferredRanges.PLACE;
import static org.reprise.anomaly.agent.detect.DeferredRanges.ROW_STEP;
import static org.reprise.anomaly.agent.detect.DeferredRanges.SPAN;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STEP;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STRIDE;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG_STEP;

/**
 * Whether two progressions have an element in common that different iterations accessed. Piece k of
 * a progression is {@code [from + k * step, from + k * step + span)}, each stride-th element, of
 * the array {@code place + k * rowStep}, and belongs to the iteration {@code tag + k * tagStep}.
 * Both count places among the same neighbours.
 *
 * <p>Hot path: once per pair of progressions of a loop that have an array in common. Benchmarks:
 * {@code bench/anomalies sor}.
 */
final class Progressions {
  private Progressions() {}

  /** The progressions are at {@code a} and {@code b} of the numbers; they may be the same one. */
  static boolean meet(int[] x, int a, int[] y, int b) {
    int rows = x[a + ROW_STEP];
    int otherRows = y[b + ROW_STEP];
    if (rows == 0 && otherRows == 0) {
      return x[a + PLACE] == y[b + PLACE] && meetInOneArray(x, a, y, b);
    }
    if (rows == otherRows) {
      return parallelRowsMeet(x, a, y, b);
    }
    return Math.abs(rows) >= Math.abs(otherRows) ? rowsMeet(x, a, y, b) : rowsMeet(y, b, x, a);
  }

  /** Both go through arrays in the same way: piece k meets piece k - ahead, or none. */
  private static boolean parallelRowsMeet(int[] x, int a, int[] y, int b) {
    int rows = x[a + ROW_STEP];
    int apart = y[b + PLACE] - x[a + PLACE];
    if (apart % rows != 0) {
      return false;
    }
    int ahead = apart / rows;
    int first = Math.max(0, ahead);
    int last = Math.min(x[a + COUNT] - 1, y[b + COUNT] - 1 + ahead);
    boolean isConstant = x[a + STEP] == y[b + STEP] && x[a + TAG_STEP] == y[b + TAG_STEP];
    for (int k = first; k <= last; k++) {
      if (piecesMeet(x, a, k, y, b, k - ahead)) {
        return true;
      }
      if (isConstant) {
        return false;
      }
    }
    return false;
  }

  /** The first one goes through arrays in larger steps, and so meets each at most once. */
  private static boolean rowsMeet(int[] x, int a, int[] y, int b) {
    int otherRows = y[b + ROW_STEP];
    for (int k = 0; k < x[a + COUNT]; k++) {
      int apart = x[a + PLACE] + k * x[a + ROW_STEP] - y[b + PLACE];
      if (otherRows == 0) {
        if (apart == 0) {
          for (int m = 0; m < y[b + COUNT]; m++) {
            if (piecesMeet(x, a, k, y, b, m)) {
              return true;
            }
          }
        }
      } else if (apart % otherRows == 0) {
        int m = apart / otherRows;
        if (m >= 0 && m < y[b + COUNT] && piecesMeet(x, a, k, y, b, m)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean meetInOneArray(int[] x, int a, int[] y, int b) {
    if (end(x, a) <= start(y, b) || end(y, b) <= start(x, a)) {
      return false;
    }
    if (x[a + COUNT] == 1 && y[b + COUNT] == 1) {
      return piecesMeet(x, a, 0, y, b, 0);
    }
    boolean isParallel = x[a + STEP] == y[b + STEP] && x[a + TAG_STEP] == y[b + TAG_STEP];
    if (isParallel && x[a + COUNT] > 1 && y[b + COUNT] > 1) {
      return parallelMeet(x, a, y, b);
    }
    if (x[a + STRIDE] == 1 && y[b + STRIDE] == 1) {
      return x[a + COUNT] <= y[b + COUNT] ? anyMeets(x, a, y, b) : anyMeets(y, b, x, a);
    }
    return pieces(x, a) <= pieces(y, b)
        ? anyWithGapsMeets(x, a, y, b)
        : anyWithGapsMeets(y, b, x, a);
  }

  /** How many pieces matter: of iterations that all access the same, two meet whoever meets any. */
  private static int pieces(int[] x, int a) {
    return x[a + STEP] == 0 ? Math.min(2, x[a + COUNT]) : x[a + COUNT];
  }

  /**
   * As {@link #anyMeets}, where there may be gaps: each is compared with those that it overlaps.
   */
  private static boolean anyWithGapsMeets(int[] x, int few, int[] y, int many) {
    for (int k = 0; k < pieces(x, few); k++) {
      int from = x[few + FROM] + k * x[few + STEP];
      int last = Math.min(pieces(y, many) - 1, last(y, many, from, x[few + SPAN]));
      for (int m = first(y, many, from, x[few + SPAN]); m <= last; m++) {
        if (piecesMeet(x, few, k, y, many, m)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The first piece that may overlap a range. */
  private static int first(int[] x, int a, int from, int span) {
    int step = x[a + STEP];
    int low = from - x[a + SPAN] + 1 - x[a + FROM];
    int high = from + span - 1 - x[a + FROM];
    return step == 0 ? 0 : Math.max(0, step > 0 ? ceiling(low, step) : ceiling(high, step));
  }

  /** The last piece that may overlap a range; below the first if there is none. */
  private static int last(int[] x, int a, int from, int span) {
    int step = x[a + STEP];
    int low = from - x[a + SPAN] + 1 - x[a + FROM];
    int high = from + span - 1 - x[a + FROM];
    if (step == 0) {
      return low > 0 || high < 0 ? -1 : x[a + COUNT] - 1;
    }
    return Math.min(x[a + COUNT] - 1, Math.floorDiv(step > 0 ? high : low, step));
  }

  private static int start(int[] x, int a) {
    return x[a + FROM] + Math.min(0, x[a + STEP]) * (x[a + COUNT] - 1);
  }

  private static int end(int[] x, int a) {
    return x[a + FROM] + Math.max(0, x[a + STEP]) * (x[a + COUNT] - 1) + x[a + SPAN];
  }

  /** Whether two pieces of one array meet that belong to different iterations. */
  private static boolean piecesMeet(int[] x, int a, int k, int[] y, int b, int m) {
    return x[a + TAG] + k * x[a + TAG_STEP] != y[b + TAG] + m * y[b + TAG_STEP]
        && meet(
            x[a + FROM] + k * x[a + STEP],
            x[a + SPAN],
            x[a + STRIDE],
            y[b + FROM] + m * y[b + STEP],
            y[b + SPAN],
            y[b + STRIDE]);
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
    // The remainders repeat after as many steps as the narrow stride is long, or at once.
    int tries = wide % narrow == 0 ? 1 : narrow;
    for (int i = 0; i < tries && first < last; i++, first += wide) {
      if ((first - narrowFrom) % narrow == 0) {
        return true;
      }
    }
    return false;
  }

  /** Both have the same steps: whether pieces meet depends on how far apart their numbers are. */
  private static boolean parallelMeet(int[] x, int a, int[] y, int b) {
    int step = x[a + STEP];
    int tagsApart = y[b + TAG] - x[a + TAG];
    int tagStep = x[a + TAG_STEP];
    int least = 1 - y[b + COUNT];
    int greatest = x[a + COUNT] - 1;
    // Pieces k of a and m of b meet only if -spanA < apart + (k - m) * step < spanB.
    int apart = x[a + FROM] - y[b + FROM];
    if (step != 0) {
      int low = 1 - x[a + SPAN] - apart;
      int high = y[b + SPAN] - 1 - apart;
      least = Math.max(least, step > 0 ? ceiling(low, step) : ceiling(high, step));
      greatest = Math.min(greatest, Math.floorDiv(step > 0 ? high : low, step));
    }
    boolean isDense = x[a + STRIDE] == 1 && y[b + STRIDE] == 1;
    for (int ahead = least; ahead <= greatest; ahead++) {
      if (tagsApart != ahead * tagStep) {
        int from = apart + ahead * step;
        if (isDense || meet(from, x[a + SPAN], x[a + STRIDE], 0, y[b + SPAN], y[b + STRIDE])) {
          return true;
        }
        if (step == 0) {
          return false;
        }
      }
    }
    return false;
  }

  private static int ceiling(int number, int divisor) {
    return -Math.floorDiv(-number, divisor);
  }

  /** Whether one of a few pieces meets one of many, all without gaps. */
  private static boolean anyMeets(int[] x, int few, int[] y, int many) {
    for (int k = 0; k < x[few + COUNT]; k++) {
      int from = x[few + FROM] + k * x[few + STEP];
      if (pieceMeets(y, many, from, x[few + SPAN], x[few + TAG] + k * x[few + TAG_STEP])) {
        return true;
      }
    }
    return false;
  }

  /** Whether a piece meets one of another iteration. */
  private static boolean pieceMeets(int[] x, int a, int from, int span, int tag) {
    int first = first(x, a, from, span);
    int last = last(x, a, from, span);
    return first < last || (first == last && x[a + TAG] + first * x[a + TAG_STEP] != tag);
  }
}
