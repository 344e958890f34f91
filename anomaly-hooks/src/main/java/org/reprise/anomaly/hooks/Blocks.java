package org.reprise.anomaly.hooks;

import java.util.Spliterator;
import java.util.concurrent.CountedCompleter;
import org.jspecify.annotations.Nullable;

/**
 * What the JDK's own classes call after the agent has retransformed them: where tasks are forked,
 * run and joined, and where loops hand out their iterations.
 */
public final class Blocks {
  private static volatile Forking forking = Forking.NONE;

  private Blocks() {}

  /** From now on forks and joins are followed. */
  public static void install(Forking newForking) {
    forking = newForking;
  }

  /**
   * A method of the JDK begins.
   *
   * @param point which method, as the agent numbers them
   * @param self the receiver, or the first argument of a static method
   * @param argument the first argument that is an object, or the second one of a static method
   * @return whether {@link #exit} has something to undo
   */
  public static boolean enter(int point, @Nullable Object self, @Nullable Object argument) {
    try {
      return forking.enter(point, self, argument);
    } catch (Throwable e) {
      forking.failed(e);
      return false;
    }
  }

  /**
   * The method ends.
   *
   * @param result what it returns (boxed, if that is a boolean), or the exception that ends it
   */
  public static void exit(
      boolean entered,
      int point,
      @Nullable Object self,
      @Nullable Object argument,
      @Nullable Object result) {
    try {
      forking.exit(entered, point, self, argument, result);
    } catch (Throwable e) {
      forking.failed(e);
    }
  }

  /** A call that a method of the JDK makes has returned a value. */
  public static void returned(@Nullable Object value, int point) {
    exit(true, point, value, null, value);
  }

  /** A stage of a completable future is about to call its function, or hand it to an executor. */
  public static void fires() {
    try {
      forking.fires();
    } catch (Throwable e) {
      forking.failed(e);
    }
  }

  /** A pool runs a task; called instead of {@link Runnable#run}. */
  public static void run(Runnable task) {
    forking.run(task);
  }

  /** A completer's children are complete; called instead of its onCompletion. */
  public static void complete(CountedCompleter<?> task, CountedCompleter<?> caller) {
    forking.complete(task, caller);
  }

  /** A completer is done, and whoever waited for it is about to ask for its result. */
  public static void joined(Object task) {
    try {
      forking.joined(task);
    } catch (Throwable e) {
      forking.failed(e);
    }
  }

  /** An array is about to be sorted or summed up with this function; returns the one to use. */
  public static @Nullable Object function(@Nullable Object function) {
    try {
      return forking.function(function);
    } catch (Throwable e) {
      forking.failed(e);
      return function;
    }
  }

  /**
   * A leaf of a parallel pipeline is traversed; each element becomes a block.
   *
   * @param isCancelled the traversal ends as soon as the result is known
   */
  public static Spliterator<?> traverse(
      Spliterator<?> elements, Object pipeline, boolean isCancelled) {
    return forking.traverse(elements, pipeline, isCancelled);
  }
}
