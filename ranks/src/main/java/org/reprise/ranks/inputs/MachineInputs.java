package org.reprise.ranks.inputs;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.reprise.ranks.fabric.Inputs;
import org.reprise.ranks.journal.FileJournal;

/** The machine's own clocks and random source. */
public final class MachineInputs implements Inputs {
  public static final Inputs INSTANCE = new MachineInputs();

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
    return FileJournal.wallNanos();
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
