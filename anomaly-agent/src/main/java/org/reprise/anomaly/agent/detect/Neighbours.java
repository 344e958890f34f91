package org.reprise.anomaly.agent.detect;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.detect.history.AccessSets;
import org.reprise.anomaly.agent.detect.history.Accesses;

/**
 * Shadows of arrays that one thread came to know one after the other, and which are therefore
 * mostly the rows of a matrix. Who walks through rows finds the next shadow by its place here
 * instead of by the row's identity, and lists rows by their places.
 *
 * <p>Only the thread that adds shadows writes; others may look too early and find nothing.
 */
final class Neighbours {
  static final int COUNT_MAX = 128;

  /** Tells them apart. */
  final int number;

  private final AtomicReferenceArray<@Nullable ArrayShadow> shadows =
      new AtomicReferenceArray<>(COUNT_MAX);
  private int count;

  /**
   * Which iteration the array at each place belongs to, for whoever joins a loop ({@link
   * RowOwners}); tags of earlier loops mean nothing.
   */
  final int[] owners = new int[COUNT_MAX];

  /** The greatest of these. */
  int newestOwner;

  Neighbours(int number) {
    this.number = number;
  }

  boolean isFull() {
    return count == COUNT_MAX;
  }

  /** The shadow of an array that has none yet. */
  ArrayShadow add(Object array, Accesses accesses, AccessSets accessSets) {
    ArrayShadow shadow = new ArrayShadow(array, this, count, accesses, accessSets);
    ArrayShadow last = at(count - 1);
    if (last != null) {
      last.next = shadow;
    }
    shadows.setRelease(count++, shadow);
    return shadow;
  }

  /** The shadow at a place; null if there is none, or none to be seen yet. */
  @Nullable ArrayShadow at(int place) {
    return place >= 0 && place < COUNT_MAX ? shadows.getAcquire(place) : null;
  }
}
