package org.reprise.ranks.inputs;

/**
 * Random numbers that are the same on every machine and in every Java: SplitMix64 (Steele, Lea and
 * Flood 2014), written out, because a library may change its generators.
 */
public final class SeededNumbers {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long state;

  public SeededNumbers(long seed) {
    state = seed;
  }

  public long next() {
    state += GOLDEN;
    long z = state;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** A number from 0 to {@code bound - 1}. */
  public int below(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("no number is below " + bound);
    }
    // The upper half times the bound: as even as anybody needs for bounds far below 2^32.
    return (int) ((next() >>> 32) * bound >>> 32);
  }

  public boolean coin() {
    return next() < 0;
  }
}
