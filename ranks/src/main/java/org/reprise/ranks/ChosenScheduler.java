package org.reprise.ranks;

import java.util.List;

/** Makes choices that were made before, by their places. */
final class ChosenScheduler implements Scheduler {
  private final List<Integer> choices;
  private int made;

  ChosenScheduler(List<Integer> choices) {
    this.choices = choices;
  }

  @Override
  public int next(int runnable) {
    return 0;
  }

  @Override
  public int choose(List<Event> events) {
    int choice = made < choices.size() ? choices.get(made) : 0;
    made++;
    if (choice < 0 || choice >= events.size()) {
      throw new IllegalArgumentException(
          "choice " + choice + " of " + events.size() + ": the program is not what it was");
    }
    return choice;
  }
}
