package org.reprise.ranks.host;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.reprise.ranks.inputs.MachineInputs;

/**
 * What program classes have in place of {@link java.util.concurrent.ThreadLocalRandom}, whose seeds
 * nobody can set: their names for that class are made names of this one. A thread has one, whose
 * seed is an input of its rank.
 */
public final class RankRandom extends Random {
  private final boolean made;

  RankRandom(long seed) {
    super(seed);
    made = true;
  }

  /** That of the calling thread's rank. */
  public static RankRandom current() {
    @Nullable RankHome home = RankHome.current();
    return home == null ? new RankRandom(MachineInputs.INSTANCE.randomLong()) : home.random();
  }

  @Override
  public synchronized void setSeed(long seed) {
    if (made) {
      throw new UnsupportedOperationException();
    }
    super.setSeed(seed);
  }
}
