package org.reprise.anomaly.agent.jdk;

import java.util.Spliterator;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.hooks.Forking;

/**
 * Pauses of random length wherever the JDK forks, runs or joins, and between the elements of a
 * stream, so that the same program takes other schedules. For tests: what is found must not depend
 * on it.
 */
public final class Jitter extends Forking {
  private static final int PAUSE_NANOS_MAX = 100_000;

  private final Forking forking;
  private final AtomicLong state;

  public Jitter(Forking forking, long seed) {
    this.forking = forking;
    this.state = new AtomicLong(seed * 0x9E3779B97F4A7C15L);
  }

  /**
   * One time in four gives the processor to others, one time in eight waits. To yield would be to
   * wait for all others on a busy machine: at a load of 20, 48 programs took more than two minutes
   * in place of 20 to 50 s.
   */
  private void pause() {
    long mixed = state.addAndGet(0x9E3779B97F4A7C15L);
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed ^= mixed >>> 27;
    int choice = (int) (mixed & 7);
    if (choice < 2) {
      LockSupport.parkNanos(1);
    } else if (choice == 2) {
      LockSupport.parkNanos((mixed >>> 8) % PAUSE_NANOS_MAX);
    }
  }

  @Override
  public boolean enter(int point, @Nullable Object self, @Nullable Object argument) {
    if (mayPause(point)) {
      pause();
    }
    boolean entered = forking.enter(point, self, argument);
    if (mayPause(point)) {
      pause(); // what the method reads may change after it was entered
    }
    return entered;
  }

  @Override
  public void exit(
      boolean entered,
      int point,
      @Nullable Object self,
      @Nullable Object argument,
      @Nullable Object result) {
    if (mayPause(point)) {
      pause();
    }
    forking.exit(entered, point, self, argument, result);
    if (mayPause(point)) {
      pause();
    }
  }

  /** Not inside a virtual thread's own machinery, nor while an element is added to a result. */
  private static boolean mayPause(int point) {
    return switch (Point.of(point)) {
      case VIRTUAL_START, POOL_SUBMIT, EXECUTE, ACCUMULATE, COMBINE, ORDERED -> false;
      default -> true;
    };
  }

  @Override
  public void run(Runnable task) {
    pause();
    forking.run(task);
  }

  @Override
  public void complete(CountedCompleter<?> task, CountedCompleter<?> caller) {
    pause();
    forking.complete(task, caller);
  }

  @Override
  public void fires() {
    pause();
    forking.fires();
    pause();
  }

  @Override
  public void joined(Object task) {
    forking.joined(task);
  }

  @Override
  public @Nullable Object function(@Nullable Object function) {
    return forking.function(function);
  }

  @Override
  public Spliterator<?> traverse(Spliterator<?> elements, Object pipeline, boolean isCancelled) {
    pause();
    Spliterator<?> traversed = forking.traverse(elements, pipeline, isCancelled);
    if (traversed instanceof LoopElements<?, ?> blocks) {
      blocks.pauseWith(this::pause);
    }
    return traversed;
  }

  @Override
  public void failed(Throwable fault) {
    forking.failed(fault);
  }
}
