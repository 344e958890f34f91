package org.reprise.anomaly.agent.block;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a task knows of tasks that are not its ancestors: for each, the last of its blocks that is
 * ordered before; and runs of iterations that are all before. Immutable. It stays empty as long as
 * tasks are joined by the tasks that forked them.
 *
 * <p>Tasks that learn from each other in turn know nearly the same thousands of others, so they
 * share what they know: a binary trie over the bits of a task's number, of which a union copies the
 * paths to what is new.
 */
final class Known {
  static final Known NOTHING = new Known(null, new int[0], 0);

  private final @Nullable Node tasks;

  /** Pairs: the first and last tag of a run of iterations. */
  private final int[] runs;

  /** Every block with a tag up to this counts as known. */
  private final int below;

  private Known(@Nullable Node tasks, int[] runs, int below) {
    this.tasks = tasks;
    this.runs = runs;
    this.below = below;
  }

  /** Every block with a tag up to this one. */
  static Known upTo(int tag) {
    return new Known(null, new int[0], tag);
  }

  boolean contains(int task, int tag) {
    return tag <= below || tag <= lastKnown(task) || inRun(tag);
  }

  private int lastKnown(int task) {
    Node node = tasks;
    while (node != null && node.bit != 0) {
      node = (task & node.bit) == 0 ? node.low : node.high;
    }
    return node != null && node.task == task ? node.tag : 0;
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
        return new Known(tasks, longer, below);
      }
    }
    int[] more = Arrays.copyOf(runs, runs.length + 2);
    more[runs.length] = first;
    more[runs.length + 1] = last;
    return new Known(tasks, more, below);
  }

  Known with(int task, int tag) {
    return contains(task, tag) ? this : withTasks(union(tasks, new Node(task, tag)));
  }

  /** Both together; this one, if the other adds nothing. */
  Known union(Known other) {
    if (other.below > below) {
      return new Known(above(tasks, other.below), runs, other.below).union(other);
    }
    Known merged = withTasks(union(tasks, other.tasks));
    if (other.runs != runs) {
      for (int i = 0; i < other.runs.length; i += 2) {
        merged = merged.withRun(other.runs[i], other.runs[i + 1]);
      }
    }
    return merged;
  }

  private Known withTasks(@Nullable Node merged) {
    return merged == tasks ? this : new Known(merged, runs, below);
  }

  /** Without the tasks of which nothing is known beyond a tag. */
  private static @Nullable Node above(@Nullable Node node, int tag) {
    if (node == null || node.bit == 0) {
      return node == null || node.tag <= tag ? null : node;
    }
    Node low = above(node.low(), tag);
    Node high = above(node.high(), tag);
    if (low == null || high == null) {
      return low == null ? high : low;
    }
    return node.with(low, high);
  }

  private static @Nullable Node union(@Nullable Node one, @Nullable Node other) {
    if (one == other || other == null) {
      return one;
    }
    return one == null ? other : merge(one, other);
  }

  private static Node merge(Node one, Node other) {
    if (one == other) {
      return one;
    }
    int differing = one.task ^ other.task;
    int above = Math.max(one.bit, other.bit);
    if (differing == 0 && above == 0) {
      return one.tag >= other.tag ? one : other;
    }
    // Bits above those that the two tries divide by are common to all tasks in each.
    if (Integer.highestOneBit(differing) > above) {
      return branch(Integer.highestOneBit(differing), one, other);
    }
    if (one.bit < other.bit) {
      return into(other, one);
    }
    if (one.bit > other.bit) {
      return into(one, other);
    }
    Node low = merge(one.low(), other.low());
    Node high = merge(one.high(), other.high());
    return other.isOf(low, high) ? (one.isOf(low, high) ? one : other) : one.with(low, high);
  }

  /** The smaller trie is on one side of the larger. */
  private static Node into(Node larger, Node smaller) {
    return (smaller.task & larger.bit) == 0
        ? larger.with(merge(larger.low(), smaller), larger.high())
        : larger.with(larger.low(), merge(larger.high(), smaller));
  }

  private static Node branch(int bit, Node one, Node other) {
    return (one.task & bit) == 0 ? new Node(bit, one, other) : new Node(bit, other, one);
  }

  /** One task, or those without a bit and those with it, which are alike in all bits above. */
  private static final class Node {
    /** A task, or one of those below. Tasks are positive. */
    final int task;

    /** The last known block of the task. */
    final int tag;

    /** By which tasks are divided; 0 for a single one. */
    final int bit;

    final @Nullable Node low;
    final @Nullable Node high;

    Node(int task, int tag) {
      this.task = task;
      this.tag = tag;
      this.bit = 0;
      this.low = null;
      this.high = null;
    }

    Node(int bit, Node low, Node high) {
      this.task = low.task;
      this.tag = 0;
      this.bit = bit;
      this.low = low;
      this.high = high;
    }

    Node low() {
      return Objects.requireNonNull(low);
    }

    Node high() {
      return Objects.requireNonNull(high);
    }

    boolean isOf(Node newLow, Node newHigh) {
      return newLow == low && newHigh == high;
    }

    Node with(Node newLow, Node newHigh) {
      return isOf(newLow, newHigh) ? this : new Node(bit, newLow, newHigh);
    }
  }
}
