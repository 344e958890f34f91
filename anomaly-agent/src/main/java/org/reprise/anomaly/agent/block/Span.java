package org.reprise.anomaly.agent.block;

import org.jspecify.annotations.Nullable;

/**
 * Tags that belong together: a run of iterations, each a task of its own, or further blocks of one
 * task.
 */
final class Span {
  final @Nullable Fork fork;

  /** The first tag of the run of iterations, or of the task. */
  final int first;

  /** The task of the block; 0 for iterations. */
  private final int task;

  /** The number of the first iteration, where the loop counts; -1 where it does not. */
  final long firstIteration;

  Span(@Nullable Fork fork, int first, int task, long firstIteration) {
    this.fork = fork;
    this.first = first;
    this.task = task;
    this.firstIteration = firstIteration;
  }

  int task(int tag) {
    return task == 0 ? tag : task;
  }
}
