package org.reprise.exploration;

import org.reprise.trace.events.EventKind;

/** What the numbers of calls in a run's events mean. */
public interface CallNumbering {
  /** The name of a call, without MPI_. */
  String name(int call);

  /** The place in the program of a site of a rank: the same in all executions and ranks. */
  default long place(int rank, int site) {
    return site;
  }

  /** Whether an event takes a post number, as non-blocking operations do. */
  boolean takesPost(int call, EventKind kind, boolean joined);
}
