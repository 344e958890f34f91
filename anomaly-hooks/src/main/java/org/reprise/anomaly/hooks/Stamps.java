package org.reprise.anomaly.hooks;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Which iterations of a loop accessed each element of an array, as far as one statement of one
 * thread did: the last of them, and the last other one before it. Takes the place of a list of
 * indices that would be as long as the array. Only the thread itself writes, so that nothing is
 * lost; who joins the loop compares the threads' stamps, which marks of chunks make quick.
 *
 * <p>Hot path: once per access. Benchmarks: {@code bench/anomalies sparse finite-elements}.
 */
public abstract class Stamps {
  protected static final int[] NO_TAGS = new int[0];
  protected static final byte[] NO_MARKS = new byte[0];

  /** The logarithm of how many elements have a mark in common. */
  protected static final int CHUNK_BITS = 6;

  /** By element: the last iteration. Tags up to the floor are of earlier loops. */
  protected int[] last = NO_TAGS;

  /** By element: the other iteration before the last; null as long as there is none. */
  protected int @Nullable [] before;

  /**
   * By chunk: 1 if this loop accessed one of its elements. A byte is stored without a look at what
   * is there; with a bit an element would wait for the one before it.
   */
  protected byte[] touched = NO_MARKS;

  /** The last tag before the loop. */
  protected int floor;

  /** Whether some element was accessed by several iterations of this loop. */
  protected boolean hasSeveral;

  /** Whether something was stamped that did not come in lists which {@link #keeps} was asked of. */
  protected boolean isMixed;

  protected Stamps() {}

  /** The iteration accesses an element, if the array has it; no index is below 0. */
  final void add(int index, int tag) {
    if (index < last.length && last[index] != tag) {
      if (last[index] > floor) {
        addBefore(index, last[index]);
      }
      last[index] = tag;
      touched[index >>> CHUNK_BITS] = 1;
    }
  }

  /** The iteration accesses what some lists name, each from one place to another. */
  final void addAll(int[] @Nullable [] lists, int count, int from, int to, int stride, int tag) {
    if (!keeps(lists, count, from, to, stride, tag)) {
      stamp(lists, count, from, to, stride, tag);
    }
  }

  /** The iteration accesses what the rows of a route name, each from one place to another. */
  final void addAll(Route route, int from, int to, int stride, int tag) {
    if (!keeps(route, from, to, stride, tag)) {
      stamp(route.rows(), route.count(), from, to, stride, tag);
    }
  }

  /** From now on elements are added one by one, too. */
  final void mix() {
    isMixed = true;
  }

  /**
   * Whether lists of indices, which stay as they are, are kept instead of being looked at. The
   * array of lists itself is the caller's.
   */
  protected abstract boolean keeps(
      int[] @Nullable [] lists, int count, int from, int to, int stride, int tag);

  /** The same of a route, which is kept by itself. */
  protected abstract boolean keeps(Route route, int from, int to, int stride, int tag);

  protected final void stamp(
      int[] @Nullable [] lists, int count, int from, int to, int stride, int tag) {
    for (int place = from; place != to; place += stride) {
      stamp(lists, count, place, tag);
    }
  }

  /**
   * Stamps what stands at a place of each list, if the array has it. Not list by list: they are
   * short, and loops over them would take longer to begin and to end than to run.
   */
  private void stamp(int[] @Nullable [] lists, int count, int place, int tag) {
    int[] tags = last;
    byte[] marks = touched;
    int earlier = floor;
    for (int i = 0; i < count; i++) {
      int[] list = lists[i];
      if (list != null) {
        int index = list[place];
        if (index >= 0 && index < tags.length && tags[index] != tag) {
          if (tags[index] > earlier) {
            addBefore(index, tags[index]);
          }
          tags[index] = tag;
          marks[index >>> CHUNK_BITS] = 1;
        }
      }
    }
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
