package org.reprise.anomaly.agent.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is known is what was learned, however it came together. */
class KnownTest {
  private static final long SEED = Long.getLong("reprise.seed", 20261116);

  @Test
  void unionsOfAllKindsKnowWhatMapsKnow() {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      int range = 1 << random.nextInt(1, 31);
      List<Known> all = new ArrayList<>(List.of(Known.NOTHING));
      List<Map<Integer, Integer>> maps = new ArrayList<>(List.of(Map.of()));
      for (int step = 0; step < 40; step++) {
        int one = random.nextInt(all.size());
        int other = random.nextInt(all.size());
        Map<Integer, Integer> map = new HashMap<>(maps.get(one));
        if (random.nextBoolean()) {
          int task = random.nextInt(range) + 1;
          int tag = random.nextInt(range) + 1;
          map.merge(task, tag, Math::max);
          all.add(all.get(one).with(task, tag));
        } else {
          maps.get(other).forEach((task, tag) -> map.merge(task, tag, Math::max));
          all.add(all.get(one).union(all.get(other)));
        }
        maps.add(map);
        assertKnows(all.get(all.size() - 1), map, random, range);
        if (map.equals(maps.get(one))) {
          assertThat(all.get(all.size() - 1)).as("nothing was learned").isSameAs(all.get(one));
        }
      }
    }
  }

  private static void assertKnows(
      Known known, Map<Integer, Integer> map, Random random, int range) {
    map.forEach(
        (task, tag) -> {
          assertThat(known.contains(task, tag)).as("-Dreprise.seed=%d", SEED).isTrue();
          assertThat(known.contains(task, tag + 1)).as("-Dreprise.seed=%d", SEED).isFalse();
        });
    int task = random.nextInt(range) + 1;
    assertThat(known.contains(task, 1))
        .as("-Dreprise.seed=%d", SEED)
        .isEqualTo(map.containsKey(task));
  }

  @Test
  void whoKnowsAllUpToATagKnowsOfTasksWhatIsBeyond() {
    Known some = Known.NOTHING.with(3, 10).with(4, 30).with(20, 25);
    Known all = Known.upTo(20);
    for (Known both : List.of(some.union(all), all.union(some))) {
      assertThat(both.contains(77, 20)).isTrue();
      assertThat(both.contains(77, 21)).isFalse();
      assertThat(both.contains(3, 21)).isFalse();
      assertThat(both.contains(4, 30)).isTrue();
      assertThat(both.contains(20, 25)).isTrue();
      assertThat(both.union(all)).isSameAs(both);
    }
  }

  @Test
  void runsAreKnownFromTheirFirstToTheirLastTag() {
    Known known = Known.NOTHING.withRun(5, 7).union(Known.NOTHING.withRun(5, 9).withRun(20, 20));
    for (int tag = 1; tag < 25; tag++) {
      assertThat(known.contains(1, tag))
          .as("%d", tag)
          .isEqualTo((tag >= 5 && tag <= 9) || tag == 20);
    }
  }
}
