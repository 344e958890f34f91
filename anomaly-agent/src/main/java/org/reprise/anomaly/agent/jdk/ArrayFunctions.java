package org.reprise.anomaly.agent.jdk;

import java.util.Comparator;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.Stacks;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * Functions that sort arrays and sum them up in parallel: comparators and operators. How often they
 * are called, with what and by whom depends on the number of workers, so each call is a block of
 * its own, beside all others.
 */
final class ArrayFunctions {
  /** Of a function that is called more often, calls share blocks: there are only so many tags. */
  private static final int BLOCKS_MAX = 1024;

  private final IdentityTable<Object, Calls> calls = new IdentityTable<>();
  private final Supplier<@Nullable ThreadOrder> threadOrders;

  ArrayFunctions(Supplier<@Nullable ThreadOrder> threadOrders) {
    this.threadOrders = threadOrders;
  }

  /** The blocks that the calls of one function are. */
  private static final class Calls {
    private final Fork fork;
    private final int first;
    private int count;

    Calls(Fork fork, int first) {
      this.fork = fork;
      this.first = first;
    }

    /** The block of the next call. Counted without care: that two calls share one does no harm. */
    int next() {
      int number = count++;
      return first
          + (number < BLOCKS_MAX
              ? number
              : (number * 0x9E3779B9) >>> (32 - Integer.numberOfTrailingZeros(BLOCKS_MAX)));
    }
  }

  /** What is called instead of the function; the same where it is no code of the program. */
  Object follow(ThreadOrder threadOrder, Object function) {
    if (function.getClass().getName().startsWith("java.util.Comparators$NaturalOrder")
        || function.getClass().getName().startsWith("java.util.Collections$Reverse")) {
      return function;
    }
    Fork fork = threadOrder.forkBlocks(new Origin(Origin.Kind.LOOP, Stacks.place()));
    Calls blocks = new Calls(fork, threadOrder.takeIterations(fork, BLOCKS_MAX, -1));
    Object followed = wrap(function, blocks);
    calls.put(followed, blocks);
    return followed;
  }

  /** The sort or the sum is over. */
  void over(ThreadOrder threadOrder, @Nullable Object function) {
    Calls blocks = function == null ? null : calls.remove(function);
    if (blocks != null) {
      threadOrder.join(blocks.fork);
    }
  }

  private Object wrap(Object function, Calls blocks) {
    if (function instanceof Comparator<?> comparator) {
      return comparator(comparator, blocks);
    }
    if (function instanceof BinaryOperator<?> operator) {
      return operator(operator, blocks);
    }
    if (function instanceof IntBinaryOperator ints) {
      return (IntBinaryOperator)
          (left, right) -> {
            ThreadOrder threadOrder = enter(blocks);
            try {
              return ints.applyAsInt(left, right);
            } finally {
              exit(threadOrder);
            }
          };
    }
    if (function instanceof LongBinaryOperator longs) {
      return (LongBinaryOperator)
          (left, right) -> {
            ThreadOrder threadOrder = enter(blocks);
            try {
              return longs.applyAsLong(left, right);
            } finally {
              exit(threadOrder);
            }
          };
    }
    DoubleBinaryOperator doubles = (DoubleBinaryOperator) function;
    return (DoubleBinaryOperator)
        (left, right) -> {
          ThreadOrder threadOrder = enter(blocks);
          try {
            return doubles.applyAsDouble(left, right);
          } finally {
            exit(threadOrder);
          }
        };
  }

  private <T> Comparator<T> comparator(Comparator<T> comparator, Calls blocks) {
    return (left, right) -> {
      ThreadOrder threadOrder = enter(blocks);
      try {
        return comparator.compare(left, right);
      } finally {
        exit(threadOrder);
      }
    };
  }

  private <T> BinaryOperator<T> operator(BinaryOperator<T> operator, Calls blocks) {
    return (left, right) -> {
      ThreadOrder threadOrder = enter(blocks);
      try {
        return operator.apply(left, right);
      } finally {
        exit(threadOrder);
      }
    };
  }

  private @Nullable ThreadOrder enter(Calls blocks) {
    ThreadOrder threadOrder = threadOrders.get();
    if (threadOrder != null) {
      threadOrder.pushIteration(blocks.fork, blocks.next());
    }
    return threadOrder;
  }

  private static void exit(@Nullable ThreadOrder threadOrder) {
    if (threadOrder != null) {
      threadOrder.pop();
    }
  }
}
