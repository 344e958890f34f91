package org.reprise.anomaly.agent.detect.history;

import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.ThreadOrder;

/**
 * The access history of every element of an array: room for two blocks each, and a history of its
 * own for an element that needs more. Callers hold the array's lock.
 */
public final class Elements {
  private static final int MORE = -1;

  /** Two per element: the blocks; the first is {@link #MORE} where a history took over. */
  private final int[] tags;

  /** Two per element: what the block did, as a number of {@link AccessSets}. */
  private final int[] sets;

  private @Nullable AccessHistory @Nullable [] more;

  private final Accesses accesses;
  private final AccessSets accessSets;

  public Elements(int length, Accesses accesses, AccessSets accessSets) {
    this.tags = new int[2 * length];
    this.sets = new int[2 * length];
    this.accesses = accesses;
    this.accessSets = accessSets;
  }

  /** A block accessed the element before this history existed. */
  public void put(int index, int tag, int access) {
    if (tags[2 * index] == MORE) {
      history(index).put(tag, access);
      return;
    }
    for (int at = 2 * index; at < 2 * index + 2; at++) {
      if (tags[at] == tag || tags[at] == 0) {
        tags[at] = tag;
        sets[at] = accessSets.with(sets[at], access);
        return;
      }
    }
    overflow(index).put(tag, access);
  }

  public void add(ThreadOrder threadOrder, int index, int access, Kind kind, Conflicts conflicts) {
    if (tags[2 * index] == MORE) {
      history(index).add(threadOrder, access, kind, index, accesses, conflicts);
      return;
    }
    int own = -1;
    int free = -1;
    int siblings = 0;
    for (int at = 2 * index; at < 2 * index + 2; at++) {
      int other = tags[at];
      if (other == threadOrder.tag) {
        own = at;
      } else if (other == 0 || (threadOrder.isAfter(other) && isDone(threadOrder, at, access))) {
        tags[at] = 0;
        sets[at] = 0;
        free = at;
      } else if (!threadOrder.isAfter(other)) {
        siblings += meet(threadOrder, index, at, access, kind, conflicts);
      }
    }
    if (own >= 0) {
      sets[own] = accessSets.with(sets[own], access);
    } else if (siblings == 2) {
      return;
    } else if (free >= 0) {
      tags[free] = threadOrder.tag;
      sets[free] = accessSets.with(0, access);
    } else {
      overflow(index).put(threadOrder.tag, access);
    }
  }

  /** Whether nobody has to know any more of a block that is ordered before. */
  private boolean isDone(ThreadOrder threadOrder, int at, int access) {
    int[] did = accessSets.get(sets[at]);
    return tags[at] <= threadOrder.floor || (did.length == 1 && did[0] == access);
  }

  /** A concurrent block; returns 1 if it did the same in the same loop. */
  private int meet(
      ThreadOrder threadOrder, int index, int at, int access, Kind kind, Conflicts conflicts) {
    int sibling = 0;
    for (int did : accessSets.get(sets[at])) {
      if (kind.conflictsWith(accesses.get(did).kind())) {
        conflicts.found(tags[at], did, access, index);
      }
      if (did == access && threadOrder.isInSameLoop(tags[at])) {
        sibling = 1;
      }
    }
    return sibling;
  }

  private AccessHistory overflow(int index) {
    if (more == null) {
      more = new AccessHistory[tags.length / 2];
    }
    AccessHistory history = new AccessHistory();
    for (int at = 2 * index; at < 2 * index + 2; at++) {
      for (int did : accessSets.get(sets[at])) {
        history.put(tags[at], did);
      }
      tags[at] = MORE;
      sets[at] = 0;
    }
    more[index] = history;
    return history;
  }

  private AccessHistory history(int index) {
    AccessHistory history = more == null ? null : more[index];
    if (history == null) {
      throw new IllegalStateException("element " + index + " has no history");
    }
    return history;
  }
}
