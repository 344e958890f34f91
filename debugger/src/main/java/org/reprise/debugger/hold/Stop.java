package org.reprise.debugger.hold;

import org.reprise.causality.Cut;
import org.reprise.trace.file.HoldPage;

/**
 * Where a rank is to stop: when it has returned from so many calls, on entry of the next one; or
 * inside that one, which then returns only after something that the others have not done yet.
 */
public record Stop(long calls, boolean inside) {
  /** Behind everything: the rank is not held any more. */
  public static final Stop NEVER = new Stop(Long.MAX_VALUE, false);

  /**
   * Where a rank begins, and breakpoints are inserted: before main, or as MPI_Init returns if its
   * launcher does not say before which rank it is.
   */
  public static final Stop BEGINNING = new Stop(0, false);

  /** Before the first call behind MPI_Init. */
  public static final Stop FIRST = new Stop(1, false);

  /**
   * The stop of a rank in a cut. The calls of a cut are events; one that is among several of a call
   * is inside it. Nobody can be held before the call behind MPI_Init, which is event 0.
   */
  public static Stop of(Cut cut, int rank, CallIndex index) {
    int event = cut.returned(rank);
    boolean amongSeveral = event < index.events() && index.firstOfCall(event) < event;
    boolean inside = cut.begun(rank) > event || amongSeveral;
    Stop stop = new Stop(index.callsBefore(event), inside);
    return stop.calls == 0 ? new Stop(1, false) : stop;
  }

  /**
   * The moment of a cut that this is: see {@link Cut}. Inside a call that is several events, none
   * of them has returned.
   */
  public static int moment(CallIndex index, long calls, boolean inside) {
    int event = index.eventAt(calls);
    return inside && event < index.events() ? 2 * event + 1 : 2 * event;
  }

  /** Until how many calls the rank must not be held. */
  long until() {
    return equals(NEVER) ? HoldPage.NEVER : calls + (inside ? 1 : 0);
  }

  boolean isReachedBy(RankState state) {
    return switch (state.kind()) {
      case ENDED, ABSENT -> true;
      case HELD -> state.calls() >= calls;
      case INSIDE -> inside && state.calls() >= calls;
      case STARTING, RUNNING -> false;
    };
  }

  /** Whether a rank that stands there, wherever in its code, is not here yet. */
  public boolean isBehind(RankState state) {
    boolean isInside = state.kind() == RankState.Kind.INSIDE && state.calls() == calls;
    return state.calls() < until() && !(inside && isInside);
  }

  /** Whether a rank that is there has not passed this place. */
  boolean isAheadOf(RankState state) {
    if (state.kind() == RankState.Kind.ABSENT) {
      return true;
    }
    if (equals(BEGINNING)) {
      // What lies between the beginning and the first call is behind it, though no call is over.
      return state.calls() == 0
          && (state.kind() == RankState.Kind.HELD || state.kind() == RankState.Kind.STARTING);
    }
    return state.kind() == RankState.Kind.INSIDE
        ? state.calls() < calls || inside && state.calls() == calls
        : state.calls() <= calls;
  }
}
