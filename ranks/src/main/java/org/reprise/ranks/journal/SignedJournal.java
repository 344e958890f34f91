package org.reprise.ranks.journal;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.reprise.trace.file.Wire;

/**
 * Sums up, in 128 bits, everything that a rank has seen: what it received and probed, what its
 * calls reported, which polls failed. Two executions in which every rank has the same signature are
 * one.
 *
 * <p>Of a rank with several threads each has a sum of its own, so that what they do independently
 * of each other is one execution, whoever came first. In which order they take locks counts: what
 * they hand to each other there is not seen.
 */
public final class SignedJournal extends Journal {
  private static final long FAILED = 0x5EED;
  private static final long HIT = 0x417;
  private static final long CANCELLED_POST = 0xE4D;

  /** What a thread has seen. */
  private static final class Sums {
    long first = 1;
    long second = 0x6A09E667F3BCC909L;
  }

  private Sums own = new Sums();

  /** Of all threads that have called, if there are several. */
  private final Map<Integer, Sums> threads = new HashMap<>(0);

  private long lockOrder;

  public long first() {
    return total(sums -> sums.first);
  }

  public long second() {
    return total(sums -> sums.second);
  }

  private long total(ToLongFunction<Sums> part) {
    if (threads.isEmpty()) {
      return part.applyAsLong(own);
    }
    long total = lockOrder;
    for (Map.Entry<Integer, Sums> thread : threads.entrySet()) {
      total += Identity.mix(thread.getKey(), part.applyAsLong(thread.getValue()));
    }
    return total;
  }

  @Override
  void switched(int next) {
    if (threads.isEmpty()) {
      threads.put(0, own); // Every rank begins in this one.
    }
    own = threads.computeIfAbsent(next, _ -> new Sums());
  }

  @Override
  public void locks(int locking) {
    lockOrder = Identity.mix(lockOrder, locking + 1L);
  }

  @Override
  public void cameFrom(long origin) {
    sign(origin);
  }

  private void sign(long value) {
    own.first = Identity.mix(own.first, value);
    own.second = Identity.mix(own.second + 0xBF58476D1CE4E5B9L, Long.rotateLeft(value, 29));
  }

  @Override
  void hashed(long eventCount, long orderHash) {
    sign(threadHash());
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
