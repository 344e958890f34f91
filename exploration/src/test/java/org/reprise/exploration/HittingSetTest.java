package org.reprise.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HittingSetTest {
  /** Nothing in it can be left out, and nearly always no smaller one exists. */
  @Test
  void everySetIsHitAndNothingIsInItForNothing() {
    long seed = Long.getLong("reprise.seed", 20_261_118L);
    System.out.println("sets with -Dreprise.seed=" + seed);
    Random random = new Random(seed);
    int larger = 0;
    for (int round = 0; round < 500; round++) {
      List<Set<Integer>> sets = new ArrayList<>();
      for (int i = random.nextInt(6); i >= 0; i--) {
        Set<Integer> set = new HashSet<>();
        for (int k = random.nextInt(4); k >= 0; k--) {
          set.add(random.nextInt(8));
        }
        sets.add(set);
      }
      Set<Integer> found = HittingSet.of(sets);
      assertThat(hits(found, sets)).as("%s of %s", found, sets).isTrue();
      for (int each : found) {
        Set<Integer> less = new HashSet<>(found);
        less.remove(each);
        assertThat(hits(less, sets)).as("%s of %s", less, sets).isFalse();
      }
      larger += found.size() > least(sets) ? 1 : 0;
    }
    assertThat(larger).as("sets for which a smaller one exists").isLessThan(25);
  }

  @Test
  void nothingHitsAnEmptySet() {
    assertThat(HittingSet.of(List.of(Set.of(1), Set.<Integer>of()))).isEmpty();
  }

  private static boolean hits(Set<Integer> some, List<Set<Integer>> sets) {
    return sets.stream().allMatch(set -> set.stream().anyMatch(some::contains));
  }

  private static int least(List<Set<Integer>> sets) {
    int least = 8;
    for (int bits = 0; bits < 256; bits++) {
      Set<Integer> some = new HashSet<>();
      for (int i = 0; i < 8; i++) {
        if ((bits >> i & 1) != 0) {
          some.add(i);
        }
      }
      if (hits(some, sets)) {
        least = Math.min(least, some.size());
      }
    }
    return least;
  }
}
