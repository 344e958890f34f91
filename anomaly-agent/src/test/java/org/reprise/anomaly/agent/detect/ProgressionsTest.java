package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.reprise.anomaly.agent.detect.DeferredRanges.COUNT;
import static org.reprise.anomaly.agent.detect.DeferredRanges.FROM;
import static org.reprise.anomaly.agent.detect.DeferredRanges.NUMBERS;
import static org.reprise.anomaly.agent.detect.DeferredRanges.PLACE;
import static org.reprise.anomaly.agent.detect.DeferredRanges.ROW_STEP;
import static org.reprise.anomaly.agent.detect.DeferredRanges.SPAN;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STEP;
import static org.reprise.anomaly.agent.detect.DeferredRanges.STRIDE;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG;
import static org.reprise.anomaly.agent.detect.DeferredRanges.TAG_STEP;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressionsTest {
  private static final int PAIRS = 200_000;

  @Test
  void twoMeetIfAndOnlyIfDifferentIterationsHaveAnElementInCommon() {
    Random random = new Random(5);
    int met = 0;
    for (int i = 0; i < PAIRS; i++) {
      int[] one = progression(random, null);
      int[] other = random.nextInt(8) == 0 ? one : progression(random, one);
      boolean expected = haveAnElementInCommon(one, other);
      assertThat(Progressions.meet(one, 0, other, 0))
          .as("%s and %s", Arrays.toString(one), Arrays.toString(other))
          .isEqualTo(expected);
      met += expected ? 1 : 0;
    }
    assertThat(met).isBetween(PAIRS / 10, PAIRS * 9 / 10);
  }

  /** Each compared with each, that would take hours. */
  @Test
  void ofManyIterationsOnlyThoseAreComparedThatOverlap() {
    int[] evens = {0, 9, 2, 0, 1, 1, 0, 0, 1_000_000, 0};
    int[] odds = {1, 1, 1, 2, 1, 1, 0, 0, 1_000_000, 1};
    int[] pairs = {0, 3, 2, 4, 1, 1, 0, 0, 1_000_000, 0};

    assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> {
          assertThat(Progressions.meet(evens, 0, odds, 0)).isFalse();
          assertThat(Progressions.meet(odds, 0, evens, 0)).isFalse();
          assertThat(Progressions.meet(pairs, 0, odds, 0)).isFalse();
          assertThat(Progressions.meet(pairs, 0, evens, 0)).isTrue();
        });
  }

  /** Of few numbers, so that many are equal; often with the steps of another one. */
  private static int[] progression(Random random, int @Nullable [] like) {
    int[] numbers = new int[NUMBERS];
    numbers[FROM] = random.nextInt(12);
    numbers[SPAN] = 1 + random.nextInt(6);
    numbers[STRIDE] = 1 + random.nextInt(4);
    numbers[STEP] = random.nextInt(9) - 4;
    numbers[TAG] = 1 + random.nextInt(5);
    numbers[TAG_STEP] = 1 + random.nextInt(2);
    numbers[PLACE] = random.nextInt(4);
    numbers[ROW_STEP] = random.nextInt(5) - 2;
    numbers[COUNT] = 1 + random.nextInt(5);
    if (like != null && random.nextBoolean()) {
      for (int which : new int[] {STEP, TAG_STEP, ROW_STEP, STRIDE}) {
        numbers[which] = random.nextInt(4) > 0 ? like[which] : numbers[which];
      }
    }
    if (numbers[SPAN] == 1) {
      numbers[STRIDE] = 1;
    }
    return numbers;
  }

  /** An element of an array. */
  private record Element(int place, int index) {}

  private static boolean haveAnElementInCommon(int[] one, int[] other) {
    Map<Element, Set<Integer>> elements = elements(one);
    for (Map.Entry<Element, Set<Integer>> entry : elements(other).entrySet()) {
      for (int tag : entry.getValue()) {
        Set<Integer> tags = new HashSet<>(elements.getOrDefault(entry.getKey(), Set.of()));
        tags.remove(tag);
        if (!tags.isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  private static Map<Element, Set<Integer>> elements(int[] numbers) {
    Map<Element, Set<Integer>> elements = new HashMap<>();
    for (int k = 0; k < numbers[COUNT]; k++) {
      int from = numbers[FROM] + k * numbers[STEP];
      for (int i = from; i < from + numbers[SPAN]; i += numbers[STRIDE]) {
        elements
            .computeIfAbsent(
                new Element(numbers[PLACE] + k * numbers[ROW_STEP], i), any -> new HashSet<>())
            .add(numbers[TAG] + k * numbers[TAG_STEP]);
      }
    }
    return elements;
  }
}
