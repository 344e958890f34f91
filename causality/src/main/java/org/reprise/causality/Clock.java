package org.reprise.causality;

/**
 * A vector clock that several holders share: slot q counts the calls of rank q that had begun. The
 * slot of the rank that a clock belongs to is not kept up; that rank's own position is known. A
 * clock with more than one holder must not be changed.
 *
 * <p>The level is the length of the longest chain of messages and collectives that led here: who
 * knows of a call has a higher one than its rank had when the call was entered.
 */
final class Clock {
  final int[] slots;
  int level;
  int holders;

  Clock(int ranks) {
    slots = new int[ranks];
  }

  /** A hot path: one pass over the ranks for every message; guarded by the graph benchmark. */
  void join(Clock other) {
    int[] mine = slots;
    int[] theirs = other.slots;
    for (int i = 0; i < mine.length; i++) {
      mine[i] = Math.max(mine[i], theirs[i]);
    }
    level = Math.max(level, other.level + 1);
  }

  void copy(Clock other) {
    System.arraycopy(other.slots, 0, slots, 0, slots.length);
    level = other.level;
  }

  void raise(int rank, int count) {
    slots[rank] = Math.max(slots[rank], count);
  }
}
