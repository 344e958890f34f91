package org.reprise.anomaly.agent.jdk;

import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.Stacks;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * Parallel streams as loops: each element is an iteration, whatever stages it runs through. The
 * stages of one pipeline share their source, so a loop is found by it. A stage that needs all
 * elements of the one before evaluates it as a loop of its own, which ends before the next begins.
 */
final class Loops {
  /** There are not as many tags for the iterations of one loop. */
  private static final int QUERIED_MAX = 1 << 30;

  private final OwnSources ownSources = new OwnSources();
  private final BiConsumer<String, String> obstacles;
  private final Forkers forkers;

  /** The first of those that run, mostly the only one: nobody has to look for it. */
  private final AtomicReference<@Nullable Loop> only = new AtomicReference<>();

  /** The others, by their sources. */
  private final IdentityTable<Object, Loop> loops = new IdentityTable<>();

  private final AtomicInteger count = new AtomicInteger();
  private BlockTracker.SourceReads reads = (stream, threadOrder) -> false;
  private IntFunction<String> places = site -> "";
  private boolean queries = true;

  /** Where loops begin, by the site: walking up the stack takes longer than a short loop. */
  private final Map<Integer, Origin> origins = new ConcurrentHashMap<>();

  Loops(BiConsumer<String, String> obstacles, Forkers forkers) {
    this.obstacles = obstacles;
    this.forkers = forkers;
  }

  /** One evaluation of a parallel pipeline. */
  static final class Loop {
    private final Object source;
    private final @Nullable Loop outer;
    private final Origin origin;

    /** The method that has declared what all iterations do; 0 if they do that themselves. */
    private int declared;

    private volatile Fork fork;

    Loop(Object source, @Nullable Loop outer, Origin origin, Fork fork) {
      this.source = source;
      this.outer = outer;
      this.origin = origin;
      this.fork = fork;
    }

    Fork fork() {
      return fork;
    }
  }

  /** A pipeline is evaluated; returns its loop, if it is a parallel one. */
  @Nullable Fork enter(ThreadOrder threadOrder, Object pipeline, @Nullable Object operation) {
    if (!(pipeline instanceof BaseStream<?, ?> stream) || !stream.isParallel()) {
      return null;
    }
    Object source = Pipelines.source(pipeline);
    if (source == null) {
      obstacles.accept("a parallel stream, which cannot be followed in this JDK", Stacks.place());
      return null;
    }
    if (UnorderedStreams.isCut(pipeline, operation)) {
      obstacles.accept(
          "a stream without an order of which some elements are taken", Stacks.place());
    }
    Loop outer = find(source);
    int site = threadOrder.takeEnding(pipeline);
    int body = site < 0 || pipeline != source ? 0 : threadOrder.endingBody();
    Origin origin = outer == null ? origin(site) : outer.origin;
    Fork fork = threadOrder.forkLoop(origin);
    Loop loop = new Loop(source, outer, origin, fork);
    if (body != 0 && operation instanceof IntConsumer function) {
      loop.declared =
          query(threadOrder, body, function, Pipelines.elements(source), fork) ? body : 0;
    }
    begin(loop);
    ownSources.follow(source, fork, threadOrder);
    return fork;
  }

  /** Asks the body of a loop over a range what all its iterations are going to do. */
  private boolean query(
      ThreadOrder threadOrder,
      int body,
      IntConsumer function,
      @Nullable Spliterator<?> range,
      Fork loop) {
    if (range == null || !queries || !Pipelines.isIntRange(range)) {
      return false;
    }
    long count = range.estimateSize();
    return count > 0
        && count <= QUERIED_MAX
        && threadOrder.query(loop, body, function, Pipelines.first(range), (int) count);
  }

  /** From now on each iteration tells what it does when it has done it. */
  void neverQuery() {
    queries = false;
  }

  private Origin origin(int site) {
    return site < 0
        ? forkers.now(Origin.Kind.LOOP).origin()
        : origins.computeIfAbsent(site, at -> new Origin(Origin.Kind.LOOP, places.apply(at)));
  }

  void exit(ThreadOrder threadOrder, Object pipeline) {
    Loop loop = find(Pipelines.source(pipeline));
    if (loop == null) {
      return;
    }
    threadOrder.join(loop.fork);
    Loop outer = loop.outer;
    if (outer != null) {
      // The loop around has not begun: it comes after this one.
      threadOrder.join(outer.fork);
      outer.fork = threadOrder.forkLoop(outer.origin);
    }
    end(loop);
  }

  /** The loop comes before the one around it, if there is one. */
  private void begin(Loop loop) {
    if (!only.compareAndSet(loop.outer, loop)) {
      if (loop.outer == null) {
        count.incrementAndGet();
      }
      loops.put(loop.source, loop);
    }
  }

  private void end(Loop loop) {
    Loop outer = loop.outer;
    if (only.compareAndSet(loop, outer)) {
      return;
    }
    if (outer == null) {
      loops.remove(loop.source);
      count.decrementAndGet();
    } else {
      loops.put(loop.source, outer);
    }
  }

  /** The innermost loop over this source. */
  private @Nullable Loop find(@Nullable Object source) {
    Loop alone = only.get();
    if (alone != null && alone.source == source) {
      return alone;
    }
    return source == null || count.get() == 0 ? null : loops.get(source);
  }

  void findPlacesWith(IntFunction<String> newPlaces) {
    places = newPlaces;
  }

  void readSourcesWith(BlockTracker.SourceReads newReads) {
    reads = newReads;
  }

  Spliterator<?> traverse(
      ThreadOrder threadOrder, Spliterator<?> elements, Object pipeline, boolean isCancelled) {
    if (isCancelled && elements instanceof LoopElements<?, ?> own) {
      own.cancel();
    }
    Object source = Pipelines.source(pipeline);
    Loop loop = find(source);
    if (loop == null || elements instanceof LoopElements || threadOrder.fork() == loop.fork) {
      // Sequential, or a traversal inside an element of this loop: concat, limit.
      return elements;
    }
    if (loop.declared != 0 && elements instanceof Spliterator.OfInt numbers) {
      return new DeclaredElements(numbers, loop.declared, threadOrder);
    }
    LoopElements<?, ?> blocks = LoopElements.of(elements, loop.fork);
    if (isCancelled) {
      blocks.cancel();
    }
    blocks.readSource(source, reads);
    return blocks;
  }
}
