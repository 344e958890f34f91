package org.reprise.anomaly.agent.detect;

/** Which iteration wrote each element of an array that is looked at; 0 throughout in between. */
final class ElementWriters {
  /** Looking up one element costs as much as clearing so many in a row. */
  private static final int CLEARED_PER_ELEMENT = 8;

  private int[] writers = new int[0];

  /** Room for an array of this length. */
  int[] of(int length) {
    if (writers.length < length) {
      writers = new int[length];
    }
    return writers;
  }

  /** Whether it is cheaper to clear all of an array's elements than those that were accessed. */
  static boolean isClearedAsAWhole(long accessed, int length) {
    return accessed * CLEARED_PER_ELEMENT > length;
  }
}
