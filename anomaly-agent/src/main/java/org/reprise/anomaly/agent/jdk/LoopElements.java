package org.reprise.anomaly.agent.jdk;

import java.util.Comparator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Accumulation;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.library.ShortCircuit;
import org.reprise.anomaly.hooks.Hooks;

/** The elements of one leaf of a parallel pipeline; each is an iteration of the loop. */
class LoopElements<T, S extends Spliterator<T>> implements Spliterator<T> {
  /** Tags are taken in growing lots, since a leaf may not know how many elements it has. */
  private static final int LOT_MAX = 1 << 15;

  private static final ClassValue<Boolean> IS_RANGE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type.getName().startsWith("java.util.stream.Streams$Range");
        }
      };

  final S elements;
  private final Fork loop;
  private final boolean isRange;
  private int next;
  private int end;
  private int lot = 128;

  /** How many elements are left, as far as the source knows; it forgets while it is traversed. */
  private long left;

  /** Whether the stream ends as soon as it knows its result. */
  private boolean isCancelled;

  /** What every block of such a stream holds; 0 if that is not known yet. */
  private int marked;

  private @Nullable Object source;
  private BlockTracker.@Nullable SourceReads reads;
  private int readsLeft;

  /** What a source of the program's own does, in a sequence of its own; null for the library's. */
  private @Nullable Accumulation own;

  /** What is done before each element; for tests. */
  private @Nullable Runnable pauses;

  LoopElements(S elements, Fork loop) {
    this.elements = elements;
    this.loop = loop;
    this.isRange = IS_RANGE.get(elements.getClass());
  }

  static LoopElements<?, ?> of(Spliterator<?> elements, Fork loop) {
    if (elements instanceof Spliterator.OfInt ints) {
      return new OfInt(ints, loop);
    }
    if (elements instanceof Spliterator.OfLong longs) {
      return new OfLong(longs, loop);
    }
    if (elements instanceof Spliterator.OfDouble doubles) {
      return new OfDouble(doubles, loop);
    }
    return new LoopElements<>(elements, loop);
  }

  /** The thread of this thread, inside the loop; what the source itself does is a block, too. */
  final ThreadOrder begin() {
    ThreadOrder threadOrder = (ThreadOrder) Hooks.context();
    left = estimateSize();
    if (isRange) {
      threadOrder.pushLeaf(loop);
    } else {
      threadOrder.pushIterations(loop, 1, -1);
    }
    enterSource(threadOrder);
    return threadOrder;
  }

  final void end(ThreadOrder threadOrder) {
    leaveSource(threadOrder);
    threadOrder.pop();
  }

  /**
   * The source's own code, which one thread at a time runs, makes a sequence beside the elements
   * that come of it. That is so for sources of the program; the library's are not looked into.
   */
  final void follow(Accumulation source) {
    own = source;
  }

  final void enterSource(ThreadOrder threadOrder) {
    if (own != null) {
      threadOrder.pushSource(own);
    }
  }

  private void leaveSource(ThreadOrder threadOrder) {
    if (own != null) {
      threadOrder.pop(own);
    }
  }

  /** What the source answers, in its own sequence. */
  private <R> R ask(Supplier<R> question) {
    if (own == null) {
      return question.get();
    }
    ThreadOrder threadOrder = (ThreadOrder) Hooks.context();
    enterSource(threadOrder);
    try {
      return question.get();
    } finally {
      leaveSource(threadOrder);
    }
  }

  /** Splits the source; both parts go on from there. */
  final @Nullable Spliterator<T> split() {
    Spliterator<T> part = ask(elements::trySplit);
    Accumulation before = own;
    if (part == null || before == null) {
      return part;
    }
    ThreadOrder threadOrder = (ThreadOrder) Hooks.context();
    own = threadOrder.after(before);
    LoopElements<T, ?> followed = like(part);
    followed.follow(threadOrder.after(before));
    return followed;
  }

  @SuppressWarnings("unchecked")
  private LoopElements<T, ?> like(Spliterator<T> part) {
    return (LoopElements<T, ?>) of(part, loop);
  }

  /** The next iteration begins. */
  final void iterate(ThreadOrder threadOrder, long value) {
    leaveSource(threadOrder);
    if (next == end) {
      lot = Math.min(LOT_MAX, lot * 2);
      int taken = (int) Math.max(1, Math.min(lot, left));
      left -= taken;
      next = threadOrder.takeIterations(loop, taken, isRange ? value : -1);
      end = next + taken;
    }
    if (pauses != null) {
      pauses.run();
    }
    threadOrder.iterate(loop, next++);
    if (own != null) {
      threadOrder.learn(own);
    }
    if (isCancelled) {
      mark(threadOrder);
    }
    if (readsLeft > 0) {
      read(threadOrder);
    }
  }

  /** Whether an iteration is nothing but another tag, as long as there are some left. */
  final boolean isPlain() {
    return isRange && own == null && pauses == null && !isCancelled;
  }

  /** Before the first {@link #goOn}: there are no tags to go on with. */
  final void beginPlain() {
    end = loop.tag() + 1;
  }

  /**
   * As {@link #iterate}, where {@link #isPlain}. Hot path: once per iteration of a range. Nothing
   * is written but what belongs to the thread: this object lies close to others that all threads
   * read.
   */
  final void goOn(ThreadOrder threadOrder, long value) {
    if (!threadOrder.goesOn(loop, end)) {
      next = threadOrder.task() + 1;
      iterate(threadOrder, value);
    }
  }

  /** From now on elements may be left out. */
  final void cancel() {
    isCancelled = true;
  }

  final void pauseWith(Runnable newPauses) {
    pauses = newPauses;
  }

  private void mark(ThreadOrder threadOrder) {
    if (marked == 0) {
      Hooks.enter(ShortCircuit.MARK, threadOrder);
      marked = threadOrder.locks();
    } else {
      threadOrder.hold(marked);
    }
  }

  /** Elements come from the source of this stream. Two that read it stand for all of a leaf. */
  final void readSource(@Nullable Object stream, BlockTracker.SourceReads newReads) {
    source = stream;
    reads = newReads;
    readsLeft = stream == null || isRange ? 0 : 2;
  }

  private void read(ThreadOrder threadOrder) {
    Object stream = source;
    BlockTracker.SourceReads reader = reads;
    readsLeft =
        stream != null && reader != null && reader.read(stream, threadOrder) ? readsLeft - 1 : 0;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    ThreadOrder threadOrder = begin();
    try {
      return elements.tryAdvance(
          element -> {
            iterate(threadOrder, -1);
            try {
              action.accept(element);
            } finally {
              enterSource(threadOrder);
            }
          });
    } finally {
      end(threadOrder);
    }
  }

  @Override
  public void forEachRemaining(Consumer<? super T> action) {
    ThreadOrder threadOrder = begin();
    try {
      elements.forEachRemaining(
          element -> {
            iterate(threadOrder, -1);
            try {
              action.accept(element);
            } finally {
              enterSource(threadOrder);
            }
          });
    } finally {
      end(threadOrder);
    }
  }

  @Override
  public @Nullable Spliterator<T> trySplit() {
    return split();
  }

  @Override
  public long estimateSize() {
    return ask(elements::estimateSize);
  }

  @Override
  public long getExactSizeIfKnown() {
    return ask(elements::getExactSizeIfKnown);
  }

  @Override
  public int characteristics() {
    return ask(elements::characteristics);
  }

  @Override
  public Comparator<? super T> getComparator() {
    return elements.getComparator();
  }

  /** Of an {@code IntStream}. */
  private static final class OfInt extends LoopElements<Integer, Spliterator.OfInt>
      implements Spliterator.OfInt {
    OfInt(Spliterator.OfInt elements, Fork loop) {
      super(elements, loop);
    }

    @Override
    public boolean tryAdvance(IntConsumer action) {
      ThreadOrder threadOrder = begin();
      try {
        return elements.tryAdvance(
            (int element) -> {
              iterate(threadOrder, element);
              try {
                action.accept(element);
              } finally {
                enterSource(threadOrder);
              }
            });
      } finally {
        end(threadOrder);
      }
    }

    @Override
    public void forEachRemaining(IntConsumer action) {
      ThreadOrder threadOrder = begin();
      try {
        if (isPlain()) {
          beginPlain();
          elements.forEachRemaining(
              (int element) -> {
                goOn(threadOrder, element);
                action.accept(element);
              });
        } else {
          elements.forEachRemaining(
              (int element) -> {
                iterate(threadOrder, element);
                try {
                  action.accept(element);
                } finally {
                  enterSource(threadOrder);
                }
              });
        }
      } finally {
        end(threadOrder);
      }
    }

    @Override
    public boolean tryAdvance(Consumer<? super Integer> action) {
      return action instanceof IntConsumer ints
          ? tryAdvance(ints)
          : tryAdvance((IntConsumer) action::accept);
    }

    @Override
    public void forEachRemaining(Consumer<? super Integer> action) {
      if (action instanceof IntConsumer ints) {
        forEachRemaining(ints);
      } else {
        forEachRemaining((IntConsumer) action::accept);
      }
    }

    @Override
    public Spliterator.@Nullable OfInt trySplit() {
      return (Spliterator.OfInt) split();
    }
  }

  /** Of an {@code LongStream}. */
  private static final class OfLong extends LoopElements<Long, Spliterator.OfLong>
      implements Spliterator.OfLong {
    OfLong(Spliterator.OfLong elements, Fork loop) {
      super(elements, loop);
    }

    @Override
    public boolean tryAdvance(LongConsumer action) {
      ThreadOrder threadOrder = begin();
      try {
        return elements.tryAdvance(
            (long element) -> {
              iterate(threadOrder, element);
              try {
                action.accept(element);
              } finally {
                enterSource(threadOrder);
              }
            });
      } finally {
        end(threadOrder);
      }
    }

    @Override
    public void forEachRemaining(LongConsumer action) {
      ThreadOrder threadOrder = begin();
      try {
        if (isPlain()) {
          beginPlain();
          elements.forEachRemaining(
              (long element) -> {
                goOn(threadOrder, element);
                action.accept(element);
              });
        } else {
          elements.forEachRemaining(
              (long element) -> {
                iterate(threadOrder, element);
                try {
                  action.accept(element);
                } finally {
                  enterSource(threadOrder);
                }
              });
        }
      } finally {
        end(threadOrder);
      }
    }

    @Override
    public boolean tryAdvance(Consumer<? super Long> action) {
      return action instanceof LongConsumer values
          ? tryAdvance(values)
          : tryAdvance((LongConsumer) action::accept);
    }

    @Override
    public void forEachRemaining(Consumer<? super Long> action) {
      if (action instanceof LongConsumer values) {
        forEachRemaining(values);
      } else {
        forEachRemaining((LongConsumer) action::accept);
      }
    }

    @Override
    public Spliterator.@Nullable OfLong trySplit() {
      return (Spliterator.OfLong) split();
    }
  }

  /** Of an {@code DoubleStream}. */
  private static final class OfDouble extends LoopElements<Double, Spliterator.OfDouble>
      implements Spliterator.OfDouble {
    OfDouble(Spliterator.OfDouble elements, Fork loop) {
      super(elements, loop);
    }

    @Override
    public boolean tryAdvance(DoubleConsumer action) {
      ThreadOrder threadOrder = begin();
      try {
        return elements.tryAdvance(
            (double element) -> {
              iterate(threadOrder, -1);
              try {
                action.accept(element);
              } finally {
                enterSource(threadOrder);
              }
            });
      } finally {
        end(threadOrder);
      }
    }

    @Override
    public void forEachRemaining(DoubleConsumer action) {
      ThreadOrder threadOrder = begin();
      try {
        elements.forEachRemaining(
            (double element) -> {
              iterate(threadOrder, -1);
              try {
                action.accept(element);
              } finally {
                enterSource(threadOrder);
              }
            });
      } finally {
        end(threadOrder);
      }
    }

    @Override
    public boolean tryAdvance(Consumer<? super Double> action) {
      return action instanceof DoubleConsumer values
          ? tryAdvance(values)
          : tryAdvance((DoubleConsumer) action::accept);
    }

    @Override
    public void forEachRemaining(Consumer<? super Double> action) {
      if (action instanceof DoubleConsumer values) {
        forEachRemaining(values);
      } else {
        forEachRemaining((DoubleConsumer) action::accept);
      }
    }

    @Override
    public Spliterator.@Nullable OfDouble trySplit() {
      return (Spliterator.OfDouble) split();
    }
  }
}
