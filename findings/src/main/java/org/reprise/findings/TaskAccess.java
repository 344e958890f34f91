package org.reprise.findings;

import java.util.List;
import java.util.OptionalLong;

/**
 * An access to a variable that was made in a task. Moments are numbers that rise along every path
 * of forks and joins.
 *
 * @param kind "read", "write", or "call" of a function that is misused
 * @param moment when it was made
 * @param tasks from the outermost one to that of the access, each forked by the one before
 */
public record TaskAccess(String kind, long moment, List<Task> tasks) {
  public TaskAccess {
    tasks = List.copyOf(tasks);
  }

  /**
   * A task that was forked, or that the program began with.
   *
   * @param id which no other task of the run has
   * @param what in the words of the source
   * @param forked the last moment before it, if somebody forked it
   * @param joined the first moment after it, if who forked it joined it
   */
  public record Task(long id, String what, OptionalLong forked, OptionalLong joined) {}
}
