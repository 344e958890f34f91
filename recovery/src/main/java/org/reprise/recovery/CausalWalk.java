package org.reprise.recovery;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.reprise.causality.Cut;
import org.reprise.causality.EventTable;

/**
 * Goes through the events of all ranks, from given positions to a cut, as an execution could: a
 * rank goes on until a return needs data of a call that has not been entered. A subclass gets every
 * entry and every return.
 */
abstract class CausalWalk {
  private final Timeline timeline;
  private final EventTable events;
  private final int[] first;
  private final int[] begun;
  private final ArrayDeque<Integer> ready = new ArrayDeque<>();

  /** Ranks that wait for an entry of each rank, as linked lists; and the lowest entry awaited. */
  private final int[] firstWaiter;

  private final int[] nextWaiter;
  private final int[] awaited;
  private final int[] lowestAwaited;

  private int missing;

  /**
   * A walk that begins at these positions. What was sent before them is there, or is left to {@link
   * #isNeeded}.
   */
  CausalWalk(Timeline timeline, int[] from) {
    this.timeline = timeline;
    events = timeline.events();
    int ranks = timeline.ranks();
    first = from.clone();
    begun = from.clone();
    firstWaiter = new int[ranks];
    nextWaiter = new int[ranks];
    awaited = new int[ranks];
    lowestAwaited = new int[ranks];
    Arrays.fill(firstWaiter, EventTable.NONE);
    Arrays.fill(lowestAwaited, Integer.MAX_VALUE);
  }

  /** The call of an event is entered. */
  abstract void enter(int rank, int event);

  /** The call of an event returns; all that it needs was entered. */
  abstract void leave(int rank, int event);

  /** Whether the return of an event needs data of calls at all, or gets them otherwise. */
  boolean isNeeded(int event) {
    return true;
  }

  /** Goes to a cut. False if ranks got stuck, which only traces that contradict themselves do. */
  boolean to(Cut cut) {
    int ranks = timeline.ranks();
    int[] at = first.clone();
    boolean[] inside = new boolean[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      ready.add(rank);
    }
    while (!ready.isEmpty()) {
      int rank = ready.poll();
      boolean goesOn = true;
      while (goesOn && at[rank] < cut.begun(rank)) {
        int event = events.event(rank, at[rank]);
        if (!inside[rank]) {
          enter(rank, event);
          inside[rank] = true;
          begun[rank] = at[rank] + 1;
          wake(rank);
        }
        goesOn = at[rank] < cut.returned(rank) && hasAll(rank, event);
        if (goesOn) {
          leave(rank, event);
          inside[rank] = false;
          at[rank]++;
        }
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      if (begun[rank] < cut.begun(rank) || at[rank] < cut.returned(rank)) {
        return false;
      }
    }
    return true;
  }

  /** Whether all that a return needs was entered; if not, the rank is woken when it is. */
  private boolean hasAll(int rank, int event) {
    if (!isNeeded(event)) {
      return true;
    }
    missing = EventTable.NONE;
    timeline.sources(
        event,
        source -> {
          int from = events.rank(source);
          if (missing < 0 && begun[from] <= source - events.first(from)) {
            missing = source;
          }
        });
    if (missing < 0) {
      return true;
    }
    int from = events.rank(missing);
    awaited[rank] = missing - events.first(from);
    nextWaiter[rank] = firstWaiter[from];
    firstWaiter[from] = rank;
    lowestAwaited[from] = Math.min(lowestAwaited[from], awaited[rank]);
    return false;
  }

  private void wake(int rank) {
    if (begun[rank] <= lowestAwaited[rank]) {
      return;
    }
    int waiter = firstWaiter[rank];
    firstWaiter[rank] = EventTable.NONE;
    lowestAwaited[rank] = Integer.MAX_VALUE;
    while (waiter >= 0) {
      int next = nextWaiter[waiter];
      if (awaited[waiter] < begun[rank]) {
        ready.add(waiter);
      } else {
        nextWaiter[waiter] = firstWaiter[rank];
        firstWaiter[rank] = waiter;
        lowestAwaited[rank] = Math.min(lowestAwaited[rank], awaited[waiter]);
      }
      waiter = next;
    }
  }
}
