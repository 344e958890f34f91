package org.reprise.ranks.journal;

import org.reprise.trace.file.Wire;

/**
 * Sums up, in 128 bits, everything that a rank has seen: what it received and probed, what its
 * calls reported, which polls failed. Two executions in which every rank has the same signature are
 * one.
 */
public final class SignedJournal extends Journal {
  private static final long FAILED = 0x5EED;
  private static final long HIT = 0x417;
  private static final long CANCELLED_POST = 0xE4D;

  private long first = 1;
  private long second = 0x6A09E667F3BCC909L;

  public long first() {
    return first;
  }

  public long second() {
    return second;
  }

  private void sign(long value) {
    first = Identity.mix(first, value);
    second = Identity.mix(second + 0xBF58476D1CE4E5B9L, Long.rotateLeft(value, 29));
  }

  @Override
  void hashed(long eventCount, long orderHash) {
    sign(orderHash);
  }

  @Override
  public void pollFailed() {
    sign(FAILED);
  }

  @Override
  public void pollHit(Wire.Poll poll) {
    sign(HIT + poll.ordinal());
  }

  @Override
  public void cancelReported(long post) {
    sign(CANCELLED_POST + post);
  }
}
