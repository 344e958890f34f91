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

  /** Whether it is in a call and held back until its recorded turn comes. */
  volatile boolean heldBack;

  Waiter(boolean counts) {
    this.counts = counts;
  }

  void layDown() {
    asleep = true;
  }

  boolean isAsleep() {
    return asleep;
  }

  /**
   * Whether it may still do something by itself: it does not wait for another thread, in a call or
   * in the program's own code.
   */
  boolean mayMove() {
    Thread known = thread;
    if (known == null || heldBack) {
      return heldBack;
    }
    return switch (known.getState()) {
      case WAITING, BLOCKED -> false;
      case TERMINATED -> false;
      case NEW, RUNNABLE, TIMED_WAITING -> !asleep;
    };
  }

  /** True for the one who ends its sleep. */
  boolean raise() {
    return asleep && ASLEEP.compareAndSet(this, true, false);
  }

  void unpark() {
    LockSupport.unpark(thread);
  }
}
