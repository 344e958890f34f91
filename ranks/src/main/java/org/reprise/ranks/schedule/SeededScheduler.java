package org.reprise.ranks.schedule;

import java.util.List;
import org.reprise.ranks.inputs.SeededNumbers;

/** Draws every choice from a seed. */
public final class SeededScheduler implements Scheduler {
  private final SeededNumbers numbers;

  public SeededScheduler(long seed) {
    numbers = new SeededNumbers(seed);
  }

  @Override
  public int next(int runnable) {
    return runnable == 1 ? 0 : numbers.below(runnable);
  }

  @Override
  public int choose(List<PossibleEvent> events) {
    return numbers.below(events.size());
  }
}
