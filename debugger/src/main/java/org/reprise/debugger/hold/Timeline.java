package org.reprise.debugger.hold;

import java.util.List;
import java.util.Optional;

/**
 * A recorded run that can be brought to any of its cuts. How is the timeline's own affair: by a
 * replay from the start, or from a place that it has kept.
 */
public interface Timeline extends AutoCloseable {
  /** Why a journey ended. */
  enum Arrival {
    /** Every rank is where it was sent. */
    REACHED,
    /** A rank met a breakpoint, or a signal; the others stand where they were then. */
    BROKEN_OFF,
    /** A rank waits in a call for others that are held. */
    STUCK,
    /** The user did not want to wait any longer. */
    INTERRUPTED,
    /** A rank ended before it got there. */
    ENDED
  }

  /** Whether the ranks must begin at the start to get to these stops. */
  boolean mustRestart(List<Stop> stops);

  /** Brings every rank to its stop. */
  Arrival goTo(List<Stop> stops);

  /** Lets all ranks run until one of them is at its stop; the others stand where they were then. */
  Arrival runUntil(List<Stop> stops);

  /** Where a rank is. */
  RankState state(int rank);

  /** The process of a rank, if there is one. */
  Optional<Long> process(int rank);

  /** Whether there are ranks at all, living or dead. */
  boolean isStarted();

  @Override
  void close();
}
