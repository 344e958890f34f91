package org.reprise.anomaly.hooks;

import java.util.Spliterator;
import java.util.concurrent.CountedCompleter;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the forks and joins that {@link Blocks} reports. One class extends it, in the
 * agent.
 */
public class Forking {
  /** Nobody listens. */
  static final Forking NONE = new Forking();

  protected Forking() {}

  public boolean enter(int point, @Nullable Object self, @Nullable Object argument) {
    return false;
  }

  public void exit(
      boolean entered,
      int point,
      @Nullable Object self,
      @Nullable Object argument,
      @Nullable Object result) {}

  public void run(Runnable task) {
    task.run();
  }

  public void complete(CountedCompleter<?> task, CountedCompleter<?> caller) {
    task.onCompletion(caller);
  }

  public void joined(Object task) {}

  public void fires() {}

  public @Nullable Object function(@Nullable Object function) {
    return function;
  }

  public Spliterator<?> traverse(Spliterator<?> elements, Object pipeline, boolean isCancelled) {
    return elements;
  }

  /** One of the methods above threw this, which must not reach the program. */
  public void failed(Throwable fault) {}
}
