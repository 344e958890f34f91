package org.reprise.anomaly.agent.detect;

import static org.reprise.anomaly.agent.detect.DeferredRanges.ACCESS;
import static org.reprise.anomaly.agent.detect.DeferredRanges.COUNT;
import static org.reprise.anomaly.agent.detect.DeferredRanges.NUMBERS;
import static org.reprise.anomaly.agent.detect.DeferredRanges.PLACE;
import static org.reprise.anomaly.agent.detect.DeferredRanges.ROW_STEP;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG_STEP;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loops that are seen to be right without a look at columns: each array that is written belongs
 * to one iteration, and no other accesses it. Few statements do more, such as one that writes an
 * element each in one array for all: their columns are compared with each other.
 *
 * <p>Hot path: once per loop. Benchmarks: {@code bench/anomalies lu search}.
 */
final class RowOwners {
  /** Stands for several iterations; no tag is as great. */
  private static final int MANY = Integer.MAX_VALUE;

  private static final int SHARED_MAX = 64;

  /** Tags up to here are of earlier loops. */
  private int floor;

  /** The progressions in arrays that many iterations write: where they are, and their numbers. */
  private final Neighbours[] sharedNeighbours = new Neighbours[SHARED_MAX];

  private final int[][] sharedNumbers = new int[SHARED_MAX][];
  private final int[] sharedAt = new int[SHARED_MAX];
  private int sharedCount;

  /** The rows that were looked at last. */
  private @Nullable Neighbours lastNeighbours;

  private int[] lastNumbers = new int[0];
  private int lastAt;

  /**
   * Whether no two iterations of a loop conflict; false if that takes a closer look.
   *
   * @param before the last tag before the loop
   */
  boolean areApart(List<DeferredRanges> logs, int before) {
    floor = before;
    try {
      return addAll(logs, true) && addAll(logs, false) && sharedAreApart();
    } finally {
      forget();
    }
  }

  private boolean addAll(List<DeferredRanges> logs, boolean writes) {
    lastNeighbours = null;
    for (DeferredRanges log : logs) {
      if (log.hasElements() || !addAll(log, writes)) {
        return false;
      }
    }
    return true;
  }

  /** What is written takes possession; then what is read must find itself or nobody. */
  private boolean addAll(DeferredRanges log, boolean writes) {
    int[] numbers = log.numbers();
    for (int i = 0, size = log.size(); i < size; i++) {
      int at = NUMBERS * i;
      if ((numbers[at + ACCESS] & 1) == (writes ? 1 : 0)) {
        Neighbours neighbours = log.neighbours(i);
        boolean isRight =
            numbers[at + ROW_STEP] == 0
                ? addInOne(neighbours, numbers, at, writes)
                : addRows(neighbours, numbers, at, writes);
        if (!isRight) {
          return false;
        }
      }
    }
    return true;
  }

  /** An array for each iteration. */
  private boolean addRows(Neighbours neighbours, int[] numbers, int at, boolean writes) {
    if (!writes && neighbours.newestOwner <= floor) {
      return true;
    }
    if (neighbours == lastNeighbours && isLast(numbers, at)) {
      return true;
    }
    int[] owners = neighbours.owners;
    int place = numbers[at + PLACE];
    int tag = numbers[at + TAG];
    for (int k = numbers[at + COUNT]; k > 0; k--) {
      int owner = owners[place];
      if (owner > floor) {
        if (owner != tag) {
          return false;
        }
      } else if (writes) {
        owners[place] = tag;
      }
      place += numbers[at + ROW_STEP];
      tag += numbers[at + TAG_STEP];
    }
    if (writes) {
      neighbours.newestOwner = Math.max(neighbours.newestOwner, numbers[at + TAG]);
    }
    lastNeighbours = neighbours;
    lastNumbers = numbers;
    lastAt = at;
    return true;
  }

  /** Statements of one leaf of the loop mostly go through the same rows. */
  private boolean isLast(int[] numbers, int at) {
    return numbers[at + PLACE] == lastNumbers[lastAt + PLACE]
        && numbers[at + TAG] == lastNumbers[lastAt + TAG]
        && numbers[at + COUNT] == lastNumbers[lastAt + COUNT]
        && numbers[at + ROW_STEP] == lastNumbers[lastAt + ROW_STEP]
        && numbers[at + TAG_STEP] == lastNumbers[lastAt + TAG_STEP];
  }

  /** One array for all iterations of the entry. */
  private boolean addInOne(Neighbours neighbours, int[] numbers, int at, boolean writes) {
    int place = numbers[at + PLACE];
    int owner = neighbours.owners[place];
    boolean isOwned = owner > floor;
    boolean isOne = numbers[at + COUNT] == 1;
    if (!isOwned && !writes) {
      return true;
    }
    if (isOne && (!isOwned || owner == numbers[at + TAG])) {
      own(neighbours, place, numbers[at + TAG]);
      return true;
    }
    if ((isOwned && owner != MANY) || sharedCount == SHARED_MAX) {
      return false;
    }
    if (writes) {
      own(neighbours, place, MANY);
    }
    sharedNeighbours[sharedCount] = neighbours;
    sharedNumbers[sharedCount] = numbers;
    sharedAt[sharedCount++] = at;
    return true;
  }

  private static void own(Neighbours neighbours, int place, int owner) {
    neighbours.owners[place] = owner;
    neighbours.newestOwner = Math.max(neighbours.newestOwner, owner);
  }

  private boolean sharedAreApart() {
    for (int i = 0; i < sharedCount; i++) {
      int[] one = sharedNumbers[i];
      for (int j = 0; j <= i; j++) {
        int[] other = sharedNumbers[j];
        boolean isWritten = ((one[sharedAt[i] + ACCESS] | other[sharedAt[j] + ACCESS]) & 1) != 0;
        if (isWritten
            && sharedNeighbours[i] == sharedNeighbours[j]
            && Progressions.meet(one, sharedAt[i], other, sharedAt[j])) {
          return false;
        }
      }
    }
    return true;
  }

  /** Unlike tags, the mark for several iterations does not tell loops apart. */
  private void forget() {
    for (int i = 0; i < sharedCount; i++) {
      sharedNeighbours[i].owners[sharedNumbers[i][sharedAt[i] + PLACE]] = 0;
      sharedNeighbours[i].newestOwner = 0;
    }
    Arrays.fill(sharedNeighbours, 0, sharedCount, null);
    Arrays.fill(sharedNumbers, 0, sharedCount, null);
    sharedCount = 0;
    lastNeighbours = null;
  }
}
