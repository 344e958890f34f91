package org.reprise.conformance;

import java.util.List;
import java.util.Random;

/**
 * How a run is shaken in its replays. A few seeds are drawn and printed; {@code
 * -Dreprise.replays=N} makes it N replays of each run, and {@code -Dreprise.seed=S} draws the same
 * again.
 *
 * @param seeds one for each replay
 */
record JitterSeeds(List<Long> seeds) {
  private static final int SEEDS = 100_000;

  static JitterSeeds drawn(String test, int replays) {
    long seed = Long.getLong("reprise.seed", System.nanoTime() % SEEDS);
    Random random = new Random(seed);
    List<Long> seeds =
        random.longs(Integer.getInteger("reprise.replays", replays), 1, SEEDS).boxed().toList();
    System.out.printf("%s: jitter %s, drawn with -Dreprise.seed=%d%n", test, seeds, seed);
    return new JitterSeeds(seeds);
  }
}
