package org.reprise.ranks.schedule;

import java.util.List;

/** Decides what ranks that run one at a time leave open. */
public interface Scheduler {
  /** Which of so many ranks that can run goes on: a number from 0 to {@code runnable - 1}. */
  int next(int runnable);

  /**
   * Which of these events happens, now that no rank with a single thread can go on by itself: its
   * place in the list, or {@link #STOP}.
   */
  int choose(List<PossibleEvent> events);

  /** The execution is not to go on. */
  int STOP = -1;
}
