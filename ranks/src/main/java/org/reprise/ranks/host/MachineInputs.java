package org.reprise.ranks.host;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.reprise.ranks.Inputs;

/** The machine's own clocks and random source, for threads of no rank. */
final class MachineInputs implements Inputs {
  static final Inputs INSTANCE = new MachineInputs();

  /** Costs tens of milliseconds to make, and most programs never ask. */
  private static final class Secure {
    static final SecureRandom RANDOM = new SecureRandom();
  }

  private MachineInputs() {}

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public long wallNanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  @Override
  public void randomBytes(byte[] bytes) {
    Secure.RANDOM.nextBytes(bytes);
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }
}
