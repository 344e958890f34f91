package org.reprise.anomaly.agent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks of a program of {@link LoopCode} are concurrent. A thread counts its forks and
 * joins; what it forked is beside all it does until it joins it.
 */
final class LoopBlocks {
  private LoopBlocks() {}

  /** What a thread forks, from one of its positions until it is joined at another. */
  static final class Span {
    final int from;
    int to;

    Span(int from) {
      this.from = from;
      this.to = from;
    }
  }

  /** What happens one after the other, beside others of the same span. */
  static final class ThreadOrder {
    final @Nullable ThreadOrder parent;
    final @Nullable Span span;
    boolean isCertain = true;

    /** It happens, but who waits for it may be told so or not: the only iteration that throws. */
    boolean isOnlyThrower;

    int position;
    Block block;

    ThreadOrder(@Nullable ThreadOrder parent, @Nullable Span span) {
      this.parent = parent;
      this.span = span;
      this.block = new Block(this, new Span(0));
    }

    /** A fork or a join. */
    void step() {
      position++;
      block = new Block(this, new Span(position));
    }
  }

  /** What a thread does between two forks or joins. */
  static final class Block {
    final Span span;
    final List<ThreadOrder> threadOrders = new ArrayList<>();
    final List<Span> spans = new ArrayList<>();

    Block(ThreadOrder threadOrder, Span span) {
      this.span = span;
      Span in = span;
      for (ThreadOrder s = threadOrder; s != null; s = s.parent) {
        threadOrders.add(0, s);
        spans.add(0, in);
        in = s.span;
      }
    }

    boolean isCertain() {
      return threadOrders.stream().allMatch(s -> s.isCertain);
    }

    boolean happens() {
      return threadOrders.stream().allMatch(s -> s.isCertain || s.isOnlyThrower);
    }

    boolean isConcurrentWith(Block other) {
      for (int i = 0; ; i++) {
        if (threadOrders.get(i) != other.threadOrders.get(i)) {
          return true;
        }
        Span mine = spans.get(i);
        Span its = other.spans.get(i);
        if (mine != its) {
          return mine.from <= its.to && its.from <= mine.to;
        }
        if (i + 1 == threadOrders.size() || i + 1 == other.threadOrders.size()) {
          return false;
        }
      }
    }
  }
}
