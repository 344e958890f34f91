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
import org.reprise.anomaly.agent.block.Strand;
import org.reprise.anomaly.agent.detect.IdentityTable;
import org.reprise.anomaly.agent.detect.Stacks;

/**
 * Functions that sort arrays and sum them up in parallel: comparators and operators. How often they
 * are called, with what and by whom depends on the number of workers, so each call is a block of
 * its own, beside all others.
 */
final class ArrayFunctions {
  /** Of a function that is called more often, calls share blocks: there are only so many tags. */
  private static final int BLOCKS_MAX = 1024;

  private final IdentityTable<Object, Calls> calls = new IdentityTable<>();
  private final Supplier<@Nullable Strand> strands;

  ArrayFunctions(Supplier<@Nullable Strand> strands) {
    this.strands = strands;
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
  Object follow(Strand strand, Object function) {
    if (function.getClass().getName().startsWith("java.util.Comparators$NaturalOrder")
        || function.getClass().getName().startsWith("java.util.Collections$Reverse")) {
      return function;
    }
    Fork fork = strand.forkBlocks(new Origin(Origin.Kind.LOOP, Stacks.place()));
    Calls blocks = new Calls(fork, strand.takeIterations(fork, BLOCKS_MAX, -1));
    Object followed = wrap(function, blocks);
    calls.put(followed, blocks);
    return followed;
  }

  /** The sort or the sum is over. */
  void over(Strand strand, @Nullable Object function) {
    Calls blocks = function == null ? null : calls.remove(function);
    if (blocks != null) {
      strand.join(blocks.fork);
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
            Strand strand = enter(blocks);
            try {
              return ints.applyAsInt(left, right);
            } finally {
              exit(strand);
            }
          };
    }
    if (function instanceof LongBinaryOperator longs) {
      return (LongBinaryOperator)
          (left, right) -> {
            Strand strand = enter(blocks);
            try {
              return longs.applyAsLong(left, right);
            } finally {
              exit(strand);
            }
          };
    }
    DoubleBinaryOperator doubles = (DoubleBinaryOperator) function;
    return (DoubleBinaryOperator)
        (left, right) -> {
          Strand strand = enter(blocks);
          try {
            return doubles.applyAsDouble(left, right);
          } finally {
            exit(strand);
          }
        };
  }

  private <T> Comparator<T> comparator(Comparator<T> comparator, Calls blocks) {
    return (left, right) -> {
      Strand strand = enter(blocks);
      try {
        return comparator.compare(left, right);
      } finally {
        exit(strand);
      }
    };
  }

  private <T> BinaryOperator<T> operator(BinaryOperator<T> operator, Calls blocks) {
    return (left, right) -> {
      Strand strand = enter(blocks);
      try {
        return operator.apply(left, right);
      } finally {
        exit(strand);
      }
    };
  }

  private @Nullable Strand enter(Calls blocks) {
    Strand strand = strands.get();
    if (strand != null) {
      strand.pushIteration(blocks.fork, blocks.next());
    }
    return strand;
  }

  private static void exit(@Nullable Strand strand) {
    if (strand != null) {
      strand.pop();
    }
  }
}
