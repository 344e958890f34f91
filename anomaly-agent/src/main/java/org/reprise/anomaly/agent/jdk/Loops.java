package org.reprise.anomaly.agent.jdk;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.block.Origin;
import org.reprise.anomaly.agent.block.Strand;
import org.reprise.anomaly.agent.detect.IdentityTable;
import org.reprise.anomaly.agent.detect.Stacks;

/**
 * Parallel streams as loops: each element is an iteration, whatever stages it runs through. The
 * stages of one pipeline share their source, so a loop is found by it. A stage that needs all
 * elements of the one before evaluates it as a loop of its own, which ends before the next begins.
 */
final class Loops {
  private final UnorderedStreams unordered = new UnorderedStreams();
  private final OwnSources ownSources = new OwnSources();
  private final BiConsumer<String, String> obstacles;
  private final IdentityTable<Object, Loop> loops = new IdentityTable<>();
  private @Nullable Field sourceStage;
  private BlockTracker.SourceReads reads = (stream, strand) -> false;
  private IntFunction<String> places = site -> "";

  /** Where loops begin, by the site: walking up the stack takes longer than a short loop. */
  private final Map<Integer, Origin> origins = new ConcurrentHashMap<>();

  Loops(BiConsumer<String, String> obstacles) {
    this.obstacles = obstacles;
  }

  /** One evaluation of a parallel pipeline. */
  static final class Loop {
    private final @Nullable Loop outer;
    private final Origin origin;
    private volatile Fork fork;

    Loop(@Nullable Loop outer, Origin origin, Fork fork) {
      this.outer = outer;
      this.origin = origin;
      this.fork = fork;
    }

    Fork fork() {
      return fork;
    }
  }

  /** A pipeline is evaluated; returns its loop, if it is a parallel one. */
  @Nullable Fork enter(Strand strand, Object pipeline, @Nullable Object operation) {
    Object source = source(pipeline);
    if (source == null || !(pipeline instanceof BaseStream<?, ?> stream) || !stream.isParallel()) {
      return null;
    }
    if (unordered.isCut(pipeline, operation)) {
      obstacles.accept(
          "a stream without an order of which some elements are taken", Stacks.place());
    }
    Loop outer = loops.get(source);
    int site = strand.takeEnding(pipeline);
    Origin origin = outer == null ? origin(site) : outer.origin;
    Fork fork = strand.forkLoop(origin);
    loops.put(source, new Loop(outer, origin, fork));
    ownSources.follow(source, fork, strand);
    return fork;
  }

  private Origin origin(int site) {
    return site < 0
        ? new Origin(Origin.Kind.LOOP, Stacks.place())
        : origins.computeIfAbsent(site, at -> new Origin(Origin.Kind.LOOP, places.apply(at)));
  }

  void exit(Strand strand, Object pipeline) {
    Object source = source(pipeline);
    Loop loop = source == null ? null : loops.get(source);
    if (source == null || loop == null) {
      return;
    }
    strand.join(loop.fork);
    Loop outer = loop.outer;
    if (outer == null) {
      loops.remove(source);
    } else {
      // The loop around has not begun: it comes after this one.
      strand.join(outer.fork);
      outer.fork = strand.forkLoop(outer.origin);
      loops.put(source, outer);
    }
  }

  void findPlacesWith(IntFunction<String> newPlaces) {
    places = newPlaces;
  }

  void readSourcesWith(BlockTracker.SourceReads newReads) {
    reads = newReads;
  }

  Spliterator<?> traverse(
      Strand strand, Spliterator<?> elements, Object pipeline, boolean isCancelled) {
    if (isCancelled && elements instanceof LoopElements<?, ?> own) {
      own.cancel();
    }
    Object source = source(pipeline);
    Loop loop = source == null ? null : loops.get(source);
    if (loop == null || elements instanceof LoopElements || strand.fork() == loop.fork) {
      // Sequential, or a traversal inside an element of this loop: concat, limit.
      return elements;
    }
    LoopElements<?, ?> blocks = LoopElements.of(elements, loop.fork);
    if (isCancelled) {
      blocks.cancel();
    }
    blocks.readSource(source, reads);
    return blocks;
  }

  private @Nullable Object source(Object pipeline) {
    try {
      Field field = sourceStage;
      if (field == null) {
        field = Class.forName("java.util.stream.AbstractPipeline").getDeclaredField("sourceStage");
        field.setAccessible(true);
        sourceStage = field;
      }
      return field.get(pipeline);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }
}
