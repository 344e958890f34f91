package org.reprise.anomaly.report;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * A block and the tasks that it came from by forks. Tags rise along every path of forks and joins,
 * so they are moments of a picture in which everything stands right of what had to happen before
 * it.
 *
 * @param tag of the block
 * @param tasks outermost first; the last one is that of the block
 */
public record Lineage(long tag, List<Task> tasks) {
  public Lineage {
    tasks = List.copyOf(tasks);
  }

  /**
   * A task on the way.
   *
   * @param id the tag of its first block, which no other task has
   * @param text in the words of the source: "iteration 17 of the loop at Solver.java:88"
   * @param forked the tag of the last block before it; none of a task that nobody forked
   * @param join gives the tag of the forking task's first block after it, or 0 if it has not joined
   *     it. It is asked when a report is written: when two accesses meet, their tasks still run
   */
  public record Task(long id, String text, OptionalLong forked, LongSupplier join) {
    public OptionalLong joined() {
      long tag = join.getAsLong();
      return tag == 0 ? OptionalLong.empty() : OptionalLong.of(tag);
    }
  }

  /** A block of which no more is known than its task. */
  public static Lineage of(String text) {
    return new Lineage(0, List.of(new Task(0, text, OptionalLong.empty(), () -> 0)));
  }

  /** The block's own task in the words of the source. */
  public String text() {
    return tasks.get(tasks.size() - 1).text();
  }
}
