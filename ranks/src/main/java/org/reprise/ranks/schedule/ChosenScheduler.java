package org.reprise.ranks.schedule;

import java.util.List;

/** Makes choices that were made before, by their places. */
public final class ChosenScheduler implements Scheduler {
  private final List<Integer> choices;
  private int made;

  public ChosenScheduler(List<Integer> choices) {
    this.choices = choices;
  }

  @Override
  public int next(int runnable) {
    return 0;
  }

  @Override
  public int choose(List<PossibleEvent> events) {
    int choice = made < choices.size() ? choices.get(made) : 0;
    made++;
    // A choice that is not there: the program is not what it was, and there is nothing to repeat.
    return choice < events.size() ? choice : STOP;
  }
}
