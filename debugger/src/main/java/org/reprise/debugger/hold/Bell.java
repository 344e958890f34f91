package org.reprise.debugger.hold;

/** Rung whenever something about a rank may have changed; whoever waits for that looks again. */
public final class Bell {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private long rung;

  /** Says that something has changed. */
  public synchronized void ring() {
    rung++;
    notifyAll();
  }

  /** How often it has been rung: to be taken before looking, and given to {@link #await}. */
  public synchronized long rung() {
    return rung;
  }

  /** Returns when it has been rung more often than this, or the time is over. */
  public synchronized void await(long before, long millis) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + millis * NANOS_PER_MILLI;
    long leftNanos = millis * NANOS_PER_MILLI;
    while (rung == before && leftNanos > 0) {
      wait(leftNanos / NANOS_PER_MILLI, (int) (leftNanos % NANOS_PER_MILLI));
      leftNanos = deadlineNanos - System.nanoTime();
    }
  }
}
