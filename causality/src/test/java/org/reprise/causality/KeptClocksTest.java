package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A kept clock is what was put in, whatever the clocks around it are. */
class KeptClocksTest {
  private static final int RANKS = 5;

  @Test
  void clocksComeBackWhetherTheyGrowByLittleOrByMuch() {
    SplittableRandom random = new SplittableRandom(20_250_115L);
    KeptClocks kept = new KeptClocks(RANKS);
    List<List<int[]>> put = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      put.add(new ArrayList<>());
    }
    Clock clock = new Clock(RANKS);
    for (int i = 0; i < 3000; i++) {
      // Now and then a step that 16 bits do not hold, in the midst of small ones.
      int step = random.nextInt(100) == 0 ? 70_000 : 3;
      clock.slots[random.nextInt(RANKS)] += random.nextInt(step);
      int rank = random.nextInt(RANKS);
      kept.add(rank, clock);
      put.get(rank).add(clock.slots.clone());
    }
    for (int rank = 0; rank < RANKS; rank++) {
      assertThat(kept.count(rank)).isEqualTo(put.get(rank).size());
      for (int i = 0; i < kept.count(rank); i++) {
        for (int of = 0; of < RANKS; of++) {
          assertThat(kept.get(rank, i, of)).isEqualTo(put.get(rank).get(i)[of]);
        }
      }
    }
  }
}
