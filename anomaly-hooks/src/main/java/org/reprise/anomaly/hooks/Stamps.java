package org.reprise.anomaly.hooks;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Which iterations of a loop accessed each element of an array, as far as one statement of one
 * thread did: the last of them, and the last other one before it. Takes the place of a list of
 * indices that would be as long as the array. Only the thread itself writes, so that nothing is
 * lost; who joins the loop compares the threads' stamps, which bits of the elements make quick.
 *
 * <p>Hot path: once per access. Benchmarks: {@code bench/anomalies sparse finite-elements}.
 */
public abstract class Stamps {
  protected static final int[] NO_TAGS = new int[0];
  protected static final long[] NO_BITS = new long[0];

  /** By element: the last iteration. Tags up to the floor are of earlier loops. */
  protected int[] last = NO_TAGS;

  /** By element: the other iteration before the last; null as long as there is none. */
  protected int @Nullable [] before;

  /** A bit per element: whether this loop accessed it. */
  protected long[] touched = NO_BITS;

  /** The last tag before the loop. */
  protected int floor;

  /** Whether some element was accessed by several iterations of this loop. */
  protected boolean hasSeveral;

  protected Stamps() {}

  /**
   * The iteration accesses an element, if the array has it; no index is below 0. Here and below
   * methods are so short that the compiler inlines them where it has not seen them used yet.
   */
  final void add(int index, int tag) {
    if (index < last.length && last[index] != tag) {
      replace(index, last[index], tag);
    }
  }

  private void replace(int index, int other, int tag) {
    if (other > floor) {
      addBefore(index, other);
    } else {
      touch(index);
    }
    last[index] = tag;
  }

  private void touch(int index) {
    touched[index >>> 6] |= 1L << index;
  }

  private void addBefore(int index, int other) {
    int[] known = before;
    if (known == null) {
      known = new int[last.length];
      before = known;
    }
    known[index] = other;
    hasSeveral = true;
    // Who sees the iteration that takes its place in the other array sees it here.
    VarHandle.releaseFence();
  }
}
