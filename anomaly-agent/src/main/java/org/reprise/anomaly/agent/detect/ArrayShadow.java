package org.reprise.anomaly.agent.detect;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.AccessSets;
import org.reprise.anomaly.agent.detect.history.Accesses;
import org.reprise.anomaly.agent.detect.history.Confinement;
import org.reprise.anomaly.agent.detect.history.Conflicts;
import org.reprise.anomaly.agent.detect.history.Elements;
import org.reprise.anomaly.agent.detect.history.Kind;
import org.reprise.anomaly.agent.detect.history.Segments;
import org.reprise.anomaly.hooks.KnownArray;

/**
 * The access history of an array: segments, and a few ranges with gaps, as long as these are
 * enough, else one history per element. It refers to the array, which it does not keep alive.
 */
final class ArrayShadow extends KnownArray {
  private static final int RANGES_MAX = 24;
  private static final int SEGMENTS_MAX = 1 << 12;

  /** Where the shadow is, among those of other arrays. */
  final Neighbours neighbours;

  final int place;

  private final Accesses accesses;
  private final AccessSets accessSets;

  private Range[] ranges = new Range[0];
  private @Nullable Segments segments;
  private @Nullable Elements elements;

  /** Where the rows are, if the array always has the same ones; null as long as nobody asked. */
  private volatile @Nullable ConstantRows rows;

  private final Confinement confinement = new Confinement();

  /** The thread's thread got the array from a thread local. */
  synchronized void confine(ThreadOrder threadOrder) {
    confinement.confine(threadOrder);
  }

  /** The greatest tag that is known. */
  private int newest;

  ArrayShadow(
      Object array, Neighbours neighbours, int place, Accesses accesses, AccessSets accessSets) {
    super(array);
    this.neighbours = neighbours;
    this.place = place;
    this.accesses = accesses;
    this.accessSets = accessSets;
  }

  /** Elements from {@code from} below {@code to}, each {@code stride}-th; strides are positive. */
  record Range(int from, int to, int stride, int tag, int access) {
    boolean covers(Range other) {
      return from <= other.from
          && other.to <= to
          && (stride == 1 || (stride == other.stride && (other.from - from) % stride == 0));
    }

    /** The first element that is in both; -1 if there is none. */
    int meets(Range other) {
      int last = Math.min(to, other.to);
      int first = Math.max(from, other.from);
      Range wide = stride >= other.stride ? this : other;
      Range narrow = wide == this ? other : this;
      int skip = Math.floorMod(wide.from - first, wide.stride);
      for (int i = first + skip; i < last; i += wide.stride) {
        if ((i - narrow.from) % narrow.stride == 0) {
          return i;
        }
      }
      return -1;
    }
  }

  /** Of an array that always has the same rows. */
  ConstantRows rows(Object[] all, ArrayShadows known) {
    ConstantRows found = rows;
    if (found == null) {
      found = new ConstantRows(all, known);
      rows = found;
    }
    return found;
  }

  /** The first piece of the array in the lists of a loop that is joined; 0 for none. */
  int pieces;

  /** The thread accesses a range, clipped to the array. */
  void add(
      ThreadOrder threadOrder,
      int from,
      int to,
      int stride,
      int access,
      Kind kind,
      Conflicts conflicts) {
    int first = from;
    int end = Math.min(to, length());
    if (first < 0) {
      first += (-first + stride - 1) / stride * stride;
    }
    if (first >= end) {
      return;
    }
    boolean isOne = end - first <= stride;
    Range range =
        new Range(first, isOne ? first + 1 : end, isOne ? 1 : stride, threadOrder.tag, access);
    if (range.stride > 1 && isKnown(threadOrder, range)) {
      return;
    }
    synchronized (this) {
      if (confinement.covers(threadOrder)) {
        return;
      }
      if (newest <= threadOrder.floor) {
        // Nobody can conflict with what is there: start again with segments.
        elements = null;
        segments = null;
        ranges = new Range[0];
      }
      newest = Math.max(newest, threadOrder.tag);
      Elements each = elements;
      if (each == null) {
        each = addRange(threadOrder, range, kind, conflicts);
      }
      if (each != null) {
        for (int i = range.from; i < range.to; i += range.stride) {
          each.add(threadOrder, i, access, kind, conflicts);
        }
      }
    }
  }

  /**
   * Whether the range would add nothing. Without the lock: ranges are never changed, only replaced,
   * and one that has just gone had been compared with everything that was there.
   */
  private boolean isKnown(ThreadOrder threadOrder, Range range) {
    int siblings = 0;
    for (Range other : ranges) {
      if (other.access == range.access && other.covers(range)) {
        if (other.tag == range.tag) {
          return true;
        }
        if (other.tag > threadOrder.floor && threadOrder.isInSameLoop(other.tag)) {
          siblings++;
        }
      }
    }
    return siblings >= 2;
  }

  /** Adds a range; returns the elements if the array has too many ranges by now. */
  private @Nullable Elements addRange(
      ThreadOrder threadOrder, Range range, Kind kind, Conflicts conflicts) {
    Range[] kept = new Range[ranges.length + 1];
    int size = 0;
    for (Range other : ranges) {
      boolean after = threadOrder.isAfter(other.tag);
      if (!after) {
        meet(range, other, kind, conflicts);
      }
      boolean gone =
          after
              && (other.tag <= threadOrder.floor
                  || (other.access == range.access && range.covers(other)));
      if (!gone) {
        kept[size++] = other;
      }
    }
    if (range.stride == 1) {
      if (size != ranges.length) {
        ranges = Arrays.copyOf(kept, size);
      }
      Segments known = segments;
      if (known == null) {
        known = new Segments(accesses);
        segments = known;
      }
      known.add(threadOrder, range.from, range.to, range.access, kind, conflicts);
      return known.size() > SEGMENTS_MAX ? toElements() : null;
    }
    if (segments != null) {
      segments.forEach(
          (from, to, tag, access) -> {
            if (!threadOrder.isAfter(tag)) {
              meet(range, new Range(from, to, 1, tag, access), kind, conflicts);
            }
          });
    }
    kept[size++] = range;
    ranges = Arrays.copyOf(kept, size);
    return size > RANGES_MAX ? toElements() : null;
  }

  private void meet(Range range, Range other, Kind kind, Conflicts conflicts) {
    if (kind.conflictsWith(accesses.get(other.access).kind())) {
      int index = other.meets(range);
      if (index >= 0) {
        conflicts.found(other.tag, other.access, range.access, index);
      }
    }
  }

  /** From now on each element has its own history. */
  private Elements toElements() {
    Elements each = new Elements(length(), accesses, accessSets);
    if (segments != null) {
      segments.forEach(
          (from, to, tag, access) -> {
            for (int i = from; i < to; i++) {
              each.put(i, tag, access);
            }
          });
    }
    for (Range range : ranges) {
      for (int i = range.from; i < range.to; i += range.stride) {
        each.put(i, range.tag, range.access);
      }
    }
    ranges = new Range[0];
    segments = null;
    elements = each;
    return each;
  }
}
