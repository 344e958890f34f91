package org.reprise.ranks.schedule;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/**
 * What may happen, rank by rank, of which one event will. It is kept from one decision to the next,
 * and only ranks at which something has changed are asked again: of ten thousand ranks that have a
 * choice each, one decision changes two or three.
 *
 * <p>A Fenwick tree sums up how many events the ranks have. The list is good until the next event
 * happens; who wants to keep it copies it.
 */
final class Agenda extends AbstractList<PossibleEvent> implements RandomAccess {
  private final List<PossibleEvent>[] events;
  private final int[] sizes;
  private final int[] sums;
  private final BitSet changed = new BitSet();
  private int size;

  @SuppressWarnings({"unchecked", "rawtypes"})
  Agenda(int ranks) {
    events = new List[ranks];
    Arrays.fill(events, List.of());
    sizes = new int[ranks];
    sums = new int[ranks + 1];
  }

  /** What may happen at this rank is to be looked at again. */
  void changed(int rank) {
    changed.set(rank);
  }

  /** Asks for the events of ranks at which something has changed. */
  void refresh(IntFunction<List<PossibleEvent>> eventsOf) {
    for (int rank = changed.nextSetBit(0); rank >= 0; rank = changed.nextSetBit(rank + 1)) {
      List<PossibleEvent> now = eventsOf.apply(rank);
      events[rank] = now;
      int more = now.size() - sizes[rank];
      if (more != 0) {
        sizes[rank] += more;
        size += more;
        for (int i = rank + 1; i < sums.length; i += i & -i) {
          sums[i] += more;
        }
      }
    }
    changed.clear();
  }

  @Override
  public PossibleEvent get(int index) {
    int rank = 0;
    int left = index;
    for (int step = Integer.highestOneBit(events.length); step > 0; step >>= 1) {
      if (rank + step < sums.length && sums[rank + step] <= left) {
        rank += step;
        left -= sums[rank];
      }
    }
    if (index < 0 || rank == events.length) {
      throw new IndexOutOfBoundsException(index + " of " + size);
    }
    return events[rank].get(left);
  }

  @Override
  public int size() {
    return size;
  }
}
