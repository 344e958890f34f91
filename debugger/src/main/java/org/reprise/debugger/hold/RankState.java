package org.reprise.debugger.hold;

/**
 * Where a rank is.
 *
 * @param calls how many calls it has returned from
 */
public record RankState(Kind kind, long calls) {
  /** What it does there. */
  public enum Kind {
    /** Not there yet, or not held before MPI_Init has returned. */
    STARTING,
    /** Computing, between two calls. */
    RUNNING,
    /** In its next call. */
    INSIDE,
    /** Held on entry of its next call, or behind its last one. */
    HELD,
    /** There is no process any more. */
    ENDED,
    /** There is none in this replay: others are replayed alone. */
    ABSENT
  }

  /** Whether it stands in a call or before one, and so may stay there. */
  public boolean isHeld() {
    return kind == Kind.HELD;
  }
}
