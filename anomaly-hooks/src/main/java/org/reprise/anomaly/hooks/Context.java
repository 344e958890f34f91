package org.reprise.anomaly.hooks;

import org.jspecify.annotations.Nullable;

/**
 * A thread as the detector sees it: which block the thread is executing. A method asks for it once
 * ({@link Hooks#context}) and hands it to every check; the object stays the same for the life of
 * the thread, only its fields change, at forks and joins and around tasks and iterations.
 *
 * <p>The fields belong to the thread itself: only it writes and reads them.
 */
public class Context {
  /** A thread that is never checked: the one that everybody has while no detector is installed. */
  static final Context OFF = new Context();

  /**
   * Whether accesses of this thread must be checked. Not so while nothing can run concurrently:
   * what the only thread does is ordered with everything before it and after it.
   */
  public boolean on;

  /** The current block. Tags are positive, and rise along every path of forks and joins. */
  public int tag;

  /** Every block whose tag is at most this is ordered before the current one. */
  public int floor;

  /** Lists of indices that no loop uses now. */
  private @Nullable Indices free;

  protected Context() {}

  Indices takeIndices(boolean isWrite, int site) {
    Indices taken = free;
    if (taken == null) {
      taken = new Indices(this);
    } else {
      free = taken.next;
    }
    taken.start(isWrite, site);
    return taken;
  }

  void giveBack(Indices indices) {
    indices.next = free;
    free = indices;
  }
}
