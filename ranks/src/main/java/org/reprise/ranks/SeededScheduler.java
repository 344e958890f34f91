package org.reprise.ranks;

import java.util.List;

/** Draws every choice from a seed. */
final class SeededScheduler implements Scheduler {
  private final SeededNumbers numbers;

  SeededScheduler(long seed) {
    numbers = new SeededNumbers(seed);
  }

  @Override
  public int next(int runnable) {
    return runnable == 1 ? 0 : numbers.below(runnable);
  }

  @Override
  public int choose(List<Event> events) {
    return numbers.below(events.size());
  }
}
