package org.reprise.exploration;

import org.reprise.trace.events.EventKind;

/** What the numbers of calls in a run's events mean, and what its orders leave out. */
public interface CallNumbering {
  /** The name of a call, without MPI_. */
  String name(int call);

  /** The place in the program of a site of a rank: the same in all executions and ranks. */
  default long place(int rank, int site) {
    return site;
  }

  /**
   * Whether the order of a rank that was ended in the middle says what all its open receives had
   * taken. A recorder on an MPI notices that only now and then.
   */
  default boolean knowsOpenReceives(int rank) {
    return true;
  }

  /** Whether a standard send of so many bytes may be complete though nobody receives it yet. */
  default boolean buffers(int rank, long bytes) {
    return true;
  }

  /** Whether an event takes a post number, as non-blocking operations do. */
  boolean takesPost(int call, EventKind kind, boolean joined);
}
