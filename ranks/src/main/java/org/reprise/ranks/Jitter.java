package org.reprise.ranks;

import java.util.concurrent.locks.LockSupport;

/** Delays ranks at random around their calls, so that orders come up which otherwise are rare. */
final class Jitter {
  private static final int ONE_CALL_IN = 4;
  private static final int PAUSE_NANOS_MAX = 200_000;

  private final SeededNumbers[] numbers;

  Jitter(long seed, int ranks) {
    numbers = new SeededNumbers[ranks];
    for (int i = 0; i < ranks; i++) {
      numbers[i] = new SeededNumbers(Identity.mix(seed, i));
    }
  }

  void shake(Rank rank) {
    SeededNumbers own = numbers[rank.number];
    if (own.below(ONE_CALL_IN) == 0) {
      LockSupport.parkNanos(own.below(PAUSE_NANOS_MAX));
    } else {
      Thread.yield();
    }
  }
}
