package org.reprise.ranks.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a rank that may have to wait. Whoever changes what it may be waiting for tries to
 * wake it; exactly one of the waker and the waiter undoes {@code asleep}, so that both agree on
 * whether the thread counts as running.
 */
public final class Waiter {
  private static final VarHandle ASLEEP;

  static {
    try {
      ASLEEP = MethodHandles.lookup().findVarHandle(Waiter.class, "asleep", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Whether the machine counts it as running: the one thread that every rank has. */
  public final boolean counts;

  @Nullable public Thread thread;

  /** What it waits for; set before it sleeps. */
  public volatile @Nullable Wait wait;

  @SuppressWarnings("UnusedVariable") // Through ASLEEP.
  private volatile boolean asleep;

  /** Whether it is in a call and held back until its recorded turn comes. */
  volatile boolean heldBack;

  Waiter(boolean counts) {
    this.counts = counts;
  }

  public void layDown() {
    asleep = true;
  }

  public boolean isAsleep() {
    return asleep;
  }

  /**
   * Whether it may still do something by itself: it does not wait for another thread, in a call or
   * in the program's own code.
   */
  public boolean mayMove() {
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
  public boolean raise() {
    return asleep && ASLEEP.compareAndSet(this, true, false);
  }

  public void unpark() {
    LockSupport.unpark(thread);
  }
}
