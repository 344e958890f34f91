package org.reprise.ranks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a rank that may have to wait. Whoever changes what it may be waiting for tries to
 * wake it; exactly one of the waker and the waiter undoes {@code asleep}, so that both agree on
 * whether the thread counts as running.
 */
final class Waiter {
  private static final VarHandle ASLEEP;

  static {
    try {
      ASLEEP = MethodHandles.lookup().findVarHandle(Waiter.class, "asleep", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Whether the machine counts it as running: the one thread that every rank has. */
  final boolean counts;

  @Nullable Thread thread;

  /** What it waits for; set before it sleeps. */
  volatile @Nullable Wait wait;

  @SuppressWarnings("UnusedVariable") // Through ASLEEP.
  private volatile boolean asleep;

  Waiter(boolean counts) {
    this.counts = counts;
  }

  void layDown() {
    asleep = true;
  }

  boolean isAsleep() {
    return asleep;
  }

  boolean isAlive() {
    return thread != null && thread.isAlive();
  }

  /** True for the one who ends its sleep. */
  boolean raise() {
    return asleep && ASLEEP.compareAndSet(this, true, false);
  }

  void unpark() {
    LockSupport.unpark(thread);
  }
}
