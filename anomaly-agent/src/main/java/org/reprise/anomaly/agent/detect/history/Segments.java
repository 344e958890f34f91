package org.reprise.anomaly.agent.detect.history;

import java.util.Arrays;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * The access history of an array whose neighbouring elements are mostly accessed alike: a history
 * per segment of elements that have the same one. Tasks that share an array out among themselves
 * make a segment each, and those who join them make one of these again. Callers hold the array's
 * lock.
 */
public final class Segments {
  private static final int[] NONE = new int[0];

  /** In rising order, and apart. */
  private int[] starts = new int[8];

  private int[] ends = new int[8];

  /** Blocks and their accesses in turn; never changed, so that segments may share them. */
  private int[][] histories = new int[8][];

  private int size;

  /** What takes the place of the segments that an access meets. */
  private int[] newStarts = new int[8];

  private int[] newEnds = new int[8];
  private int[][] newHistories = new int[8][];
  private int newSize;

  private final Accesses accesses;

  public Segments(Accesses accesses) {
    this.accesses = accesses;
  }

  public int size() {
    return size;
  }

  /** One segment after the other. */
  public interface Action {
    void accept(int from, int to, int tag, int access);
  }

  public void forEach(Action action) {
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < histories[i].length; j += 2) {
        action.accept(starts[i], ends[i], histories[i][j], histories[i][j + 1]);
      }
    }
  }

  /** The thread accesses elements from {@code from} below {@code to}. */
  public void add(
      ThreadOrder threadOrder, int from, int to, int access, Kind kind, Conflicts conflicts) {
    int first = firstEndingAfter(from);
    newSize = 0;
    int next = first;
    if (next < size && starts[next] < from) {
      put(starts[next], from, histories[next]);
    }
    int[] before = null;
    int[] after = NONE;
    int at = from;
    while (at < to) {
      boolean isGap = next == size || starts[next] > at;
      int end = isGap ? (next == size ? to : Math.min(to, starts[next])) : Math.min(to, ends[next]);
      int[] history = isGap ? NONE : histories[next];
      if (history != before) {
        before = history;
        after = with(history, threadOrder, access, kind, at, conflicts);
      }
      put(at, end, after);
      if (!isGap) {
        if (end < ends[next]) {
          put(end, ends[next], history);
        }
        next++;
      }
      at = end;
    }
    replace(first, next);
  }

  /** The first segment that ends after the element. */
  private int firstEndingAfter(int index) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] > index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * See {@link AccessHistory#add}. Of one block and one set of locks the last read and the last
   * write are kept: whoever conflicts with one before conflicts with it, too. Else statements that
   * each access some elements of a piece would part it into single ones.
   */
  private int[] with(
      int[] history,
      ThreadOrder threadOrder,
      int access,
      Kind kind,
      int index,
      Conflicts conflicts) {
    int held = accesses.get(access).locks();
    for (int i = 0; i < history.length; i += 2) {
      if (history[i] == threadOrder.tag && history[i + 1] == access) {
        return history;
      }
    }
    int[] kept = new int[history.length + 2];
    int length = 0;
    int siblings = 0;
    for (int i = 0; i < history.length; i += 2) {
      int other = history[i];
      int did = history[i + 1];
      boolean keep = true;
      if (other == threadOrder.tag) {
        keep = accesses.get(did).locks() != held || accesses.get(did).kind() != kind;
      } else if (threadOrder.isAfter(other)) {
        keep = did != access && other > threadOrder.floor;
      } else {
        if (kind.conflictsWith(accesses.get(did).kind())) {
          conflicts.found(other, did, access, index);
        }
        siblings += did == access && threadOrder.isInSameLoop(other) ? 1 : 0;
      }
      if (keep) {
        kept[length++] = other;
        kept[length++] = did;
      }
    }
    if (siblings < 2) {
      // In order, so that histories with the same entries are equal however they came about.
      int at = length;
      while (at > 0
          && (kept[at - 2] > threadOrder.tag
              || (kept[at - 2] == threadOrder.tag && kept[at - 1] > access))) {
        kept[at] = kept[at - 2];
        kept[at + 1] = kept[at - 1];
        at -= 2;
      }
      kept[at] = threadOrder.tag;
      kept[at + 1] = access;
      length += 2;
    } else if (length == history.length) {
      return history;
    }
    return length == kept.length ? kept : Arrays.copyOf(kept, length);
  }

  private void put(int from, int to, int[] history) {
    if (newSize > 0
        && newEnds[newSize - 1] == from
        && Arrays.equals(newHistories[newSize - 1], history)) {
      newEnds[newSize - 1] = to;
      return;
    }
    if (newSize == newStarts.length) {
      newStarts = Arrays.copyOf(newStarts, 2 * newSize);
      newEnds = Arrays.copyOf(newEnds, 2 * newSize);
      newHistories = Arrays.copyOf(newHistories, 2 * newSize);
    }
    newStarts[newSize] = from;
    newEnds[newSize] = to;
    newHistories[newSize++] = history;
  }

  /** Puts the new segments in place of those from one to below another. */
  private void replace(int first, int last) {
    int from = first;
    if (from > 0
        && ends[from - 1] == newStarts[0]
        && Arrays.equals(histories[from - 1], newHistories[0])) {
      from--;
      newStarts[0] = starts[from];
    }
    int to = last;
    if (to < size
        && starts[to] == newEnds[newSize - 1]
        && Arrays.equals(histories[to], newHistories[newSize - 1])) {
      newEnds[newSize - 1] = ends[to];
      to++;
    }
    int newLength = size - (to - from) + newSize;
    if (newLength > starts.length) {
      int room = Math.max(newLength, 2 * starts.length);
      starts = Arrays.copyOf(starts, room);
      ends = Arrays.copyOf(ends, room);
      histories = Arrays.copyOf(histories, room);
    }
    System.arraycopy(starts, to, starts, from + newSize, size - to);
    System.arraycopy(ends, to, ends, from + newSize, size - to);
    System.arraycopy(histories, to, histories, from + newSize, size - to);
    System.arraycopy(newStarts, 0, starts, from, newSize);
    System.arraycopy(newEnds, 0, ends, from, newSize);
    System.arraycopy(newHistories, 0, histories, from, newSize);
    Arrays.fill(histories, newLength, Math.max(newLength, size), null);
    size = newLength;
  }
}
