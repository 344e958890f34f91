package org.reprise.ranks.schedule;

import java.util.concurrent.locks.LockSupport;
import org.reprise.ranks.engine.JobRank;
import org.reprise.ranks.inputs.SeededNumbers;
import org.reprise.ranks.journal.Identity;

/** Delays ranks at random around their calls, so that orders come up which otherwise are rare. */
public final class Jitter {
  private static final int ONE_CALL_IN = 4;
  private static final int PAUSE_NANOS_MAX = 200_000;

  private final SeededNumbers[] numbers;

  public Jitter(long seed, int ranks) {
    numbers = new SeededNumbers[ranks];
    for (int i = 0; i < ranks; i++) {
      numbers[i] = new SeededNumbers(Identity.mix(seed, i));
    }
  }

  void shake(JobRank rank) {
    SeededNumbers own = numbers[rank.number];
    if (own.below(ONE_CALL_IN) == 0) {
      LockSupport.parkNanos(own.below(PAUSE_NANOS_MAX));
    } else {
      Thread.yield();
    }
  }
}
