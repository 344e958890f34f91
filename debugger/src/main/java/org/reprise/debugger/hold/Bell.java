package org.reprise.debugger.hold;

/** Rung whenever something about a rank may have changed; whoever waits for that looks again. */
public final class Bell {
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
    if (rung == before) {
      wait(millis);
    }
  }
}
