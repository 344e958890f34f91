package org.reprise.anomaly.agent.block;

import java.util.Arrays;

/**
 * What a task knows of tasks that are not its ancestors: for each, the last of its blocks that is
 * ordered before; and runs of iterations that are all before. Immutable. It stays empty as long as
 * tasks are joined by the tasks that forked them.
 */
final class Known {
  static final Known NOTHING = new Known(new int[0], new int[0], new int[0]);

  /** Tasks in rising order, and in {@link #tags} the last known block of each. */
  private final int[] tasks;

  private final int[] tags;

  /** Pairs: the first and last tag of a run of iterations. */
  private final int[] runs;

  private Known(int[] tasks, int[] tags, int[] runs) {
    this.tasks = tasks;
    this.tags = tags;
    this.runs = runs;
  }

  boolean contains(int task, int tag) {
    int at = Arrays.binarySearch(tasks, task);
    return (at >= 0 && tag <= tags[at]) || inRun(tag);
  }

  private boolean inRun(int tag) {
    for (int i = 0; i < runs.length; i += 2) {
      if (runs[i] <= tag && tag <= runs[i + 1]) {
        return true;
      }
    }
    return false;
  }

  Known withRun(int first, int last) {
    for (int i = 0; i < runs.length; i += 2) {
      if (runs[i] == first) {
        if (runs[i + 1] >= last) {
          return this;
        }
        int[] longer = runs.clone();
        longer[i + 1] = last;
        return new Known(tasks, tags, longer);
      }
    }
    int[] more = Arrays.copyOf(runs, runs.length + 2);
    more[runs.length] = first;
    more[runs.length + 1] = last;
    return new Known(tasks, tags, more);
  }

  Known with(int task, int tag) {
    if (contains(task, tag)) {
      return this;
    }
    return union(new Known(new int[] {task}, new int[] {tag}, new int[0]), 0);
  }

  /** Both together, without what the floor says anyway. */
  Known union(Known other, int floor) {
    if (other == this || other == NOTHING) {
      return this;
    }
    int[] newTasks = new int[tasks.length + other.tasks.length];
    int[] newTags = new int[newTasks.length];
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < tasks.length || j < other.tasks.length) {
      int task;
      int tag;
      if (j == other.tasks.length || (i < tasks.length && tasks[i] < other.tasks[j])) {
        task = tasks[i];
        tag = tags[i++];
      } else if (i == tasks.length || other.tasks[j] < tasks[i]) {
        task = other.tasks[j];
        tag = other.tags[j++];
      } else {
        task = tasks[i];
        tag = Math.max(tags[i++], other.tags[j++]);
      }
      if (tag > floor) {
        newTasks[size] = task;
        newTags[size++] = tag;
      }
    }
    Known merged =
        new Known(Arrays.copyOf(newTasks, size), Arrays.copyOf(newTags, size), keep(runs, floor));
    for (int k = 0; k < other.runs.length; k += 2) {
      if (other.runs[k + 1] > floor) {
        merged = merged.withRun(other.runs[k], other.runs[k + 1]);
      }
    }
    return merged;
  }

  private static int[] keep(int[] runs, int floor) {
    int[] kept = new int[runs.length];
    int size = 0;
    for (int i = 0; i < runs.length; i += 2) {
      if (runs[i + 1] > floor) {
        kept[size++] = runs[i];
        kept[size++] = runs[i + 1];
      }
    }
    return size == runs.length ? runs : Arrays.copyOf(kept, size);
  }
}
