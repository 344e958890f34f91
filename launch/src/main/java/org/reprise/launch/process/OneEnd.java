package org.reprise.launch.process;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;

/**
 * The end of a run whose ranks are threads of this process. It comes once: the ranks come to it, or
 * a signal brings it about. In the latter case nobody can be told to end but the process itself,
 * which a rank may keep from returning; so the signal's own thread does what is to be done at the
 * end, and halts.
 */
public final class OneEnd implements AutoCloseable {
  private final AtomicBoolean over = new AtomicBoolean();
  private final Signals signals;

  /**
   * An end that a signal may bring about while this is open.
   *
   * @param finish what is to be done then: from the status of a process that the signal ends to the
   *     one to exit with
   */
  public OneEnd(IntUnaryOperator finish) {
    signals = Signals.take(Signals.ENDING, signal -> finish(Signals.statusOf(signal), finish));
  }

  private void finish(int status, IntUnaryOperator finish) {
    if (!over.compareAndSet(false, true)) {
      return;
    }
    int exit = status;
    try {
      exit = finish.applyAsInt(status);
    } finally {
      Runtime.getRuntime().halt(exit);
    }
  }

  /** The ranks have ended; returns only if no signal has ended them. */
  public void reached() {
    if (!over.compareAndSet(false, true)) {
      while (true) {
        LockSupport.park(this);
      }
    }
  }

  @Override
  public void close() {
    signals.close();
  }
}
