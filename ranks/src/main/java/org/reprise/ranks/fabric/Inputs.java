package org.reprise.ranks.fabric;

/**
 * What a rank reads from clocks and random sources. Recorded where the run is, given back in a
 * replay, drawn from the seed in a seeded run; otherwise the machine's own.
 */
public interface Inputs {
  /** As System.nanoTime. */
  long nanoTime();

  /** Nanoseconds since 1970: what System.currentTimeMillis and the java.time clocks are made of. */
  long wallNanos();

  /** Fills an array with random bytes: seeds of generators, UUIDs, SecureRandom. */
  void randomBytes(byte[] bytes);

  /** A random number of 64 bits, made of eight random bytes. */
  default long randomLong() {
    byte[] bytes = new byte[Long.BYTES];
    randomBytes(bytes);
    long value = 0;
    for (byte b : bytes) {
      value = value << Byte.SIZE | b & 0xff;
    }
    return value;
  }

  /**
   * Lets this much time pass: Thread.sleep. Where time is drawn from a seed it passes at once.
   *
   * @throws InterruptedException as Thread.sleep
   */
  void sleep(long nanos) throws InterruptedException;
}
