package org.reprise.exploration;

import java.util.Comparator;

/**
 * A point of a program where something is left open: which message a wildcard receive takes, what a
 * probe sees, which request a call completes. It is known by its rank and its place among those of
 * the rank, as a plan has it.
 *
 * @param number of a call, its place among the calls of the rank that left something open; of a
 *     non-blocking receive, its post number
 */
public record Decision(int rank, Kind kind, long number) implements Comparable<Decision> {
  /** How a decision is counted. */
  public enum Kind {
    /** A call that returns with its outcome. */
    CALL,
    /** A non-blocking receive, which may take its message long after it was posted. */
    POST,
    /** A poll, where failures are outcomes, too: known by a number made of what it asks for. */
    POLL
  }

  private static final Comparator<Decision> ORDER =
      Comparator.comparingInt(Decision::rank)
          .thenComparing(Decision::kind)
          .thenComparingLong(Decision::number);

  @Override
  public int compareTo(Decision other) {
    return ORDER.compare(this, other);
  }
}
