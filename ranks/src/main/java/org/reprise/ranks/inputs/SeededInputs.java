package org.reprise.ranks.inputs;

import org.reprise.ranks.fabric.Inputs;
import org.reprise.ranks.journal.Identity;

/**
 * Clocks and random bytes drawn from a seed. Time passes only where it is looked at or slept away:
 * a program that waits for a moment gets there, and the same program gets there in the same steps.
 */
public final class SeededInputs implements Inputs {
  private static final long STEP_NANOS_MAX = 1_000;

  /** 2000-01-01, so that a date looks like one. */
  private static final long START_NANOS = 946_684_800L * 1_000_000_000L;

  private final SeededNumbers numbers;
  private long nanos;

  public SeededInputs(long seed, int rank) {
    numbers = new SeededNumbers(Identity.mix(Identity.mix(seed, rank), 0x1A9));
  }

  /** Time that passes without anybody looking. */
  public synchronized void pass(long more) {
    nanos += more;
  }

  @Override
  public synchronized long nanoTime() {
    nanos += 1 + numbers.below((int) STEP_NANOS_MAX);
    return nanos;
  }

  @Override
  public long wallNanos() {
    return START_NANOS + nanoTime();
  }

  @Override
  public synchronized void randomBytes(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) numbers.next();
    }
  }

  @Override
  public void sleep(long sleptNanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    pass(Math.max(0, sleptNanos));
  }
}
