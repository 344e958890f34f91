package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.detect.history.AccessSets;
import org.reprise.anomaly.agent.detect.history.Accesses;
import org.reprise.anomaly.agent.detect.history.Kind;

class CoverageTest {
  private record Range(int from, int to, int access) {}

  private final List<Range> told = new ArrayList<>();

  private final Coverage.Listener listener =
      (shadow, from, to, access) -> told.add(new Range(from, to, access));

  private static Coverage of(int length) {
    Coverage coverage = new Coverage();
    ArrayShadow shadow = new Neighbours(0).add(new int[length], new Accesses(), new AccessSets());
    coverage.begin(shadow, Kind.WRITE, 0);
    return coverage;
  }

  @Test
  void aRangeInsideAnotherAddsNothingAndALargerOneTakesItsPlace() {
    Coverage coverage = of(100);
    coverage.add(10, 20, 1);
    coverage.add(12, 15, 2);
    coverage.add(30, 40, 1);
    coverage.add(5, 35, 3);

    coverage.tell(listener);

    assertThat(told).containsExactly(new Range(5, 35, 3), new Range(35, 40, 1));
  }

  @Test
  void aMergeSortKeepsAFewRangesHoweverManyPiecesItMerged() {
    Coverage coverage = of(1 << 16);
    sort(coverage, 0, 1 << 16);
    assertThat(told).isEmpty();

    coverage.tell(listener);

    assertThat(told)
        .containsExactly(new Range(0, (1 << 16) - 3, 1), new Range((1 << 16) - 3, 1 << 16, 2));
  }

  /** Pieces are written by the merging loop but for three elements, which another one writes. */
  private void sort(Coverage coverage, int from, int to) {
    if (to - from > 16) {
      int middle = (from + to) >>> 1;
      sort(coverage, from, middle);
      sort(coverage, middle, to);
    }
    coverage.add(from, to - 3, 1);
    coverage.add(to - 3, to, 2);
  }

  @Test
  void whatIsNotInTheArrayIsIgnored() {
    Coverage coverage = of(10);
    coverage.add(-5, 2, 1);
    coverage.add(8, 20, 1);
    coverage.add(Integer.MAX_VALUE, Integer.MIN_VALUE, 1);
    coverage.add(20, 30, 1);

    coverage.tell(listener);

    assertThat(told).containsExactly(new Range(0, 2, 1), new Range(8, 10, 1));
  }

  @Test
  void eachElementIsToldWithAnAccessThatTouchedIt() {
    int length = 400;
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      Coverage coverage = of(length);
      told.clear();
      List<TreeSet<Integer>> touched = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        touched.add(new TreeSet<>());
      }
      int most = random.nextBoolean() ? 3 : 100;
      for (int step = random.nextInt(300); step >= 0; step--) {
        int from = random.nextInt(length);
        int to = Math.min(length, from + 1 + random.nextInt(most));
        int access = 1 + random.nextInt(3);
        coverage.add(from, to, access);
        touched.subList(from, to).forEach(accesses -> accesses.add(access));
      }
      boolean isApart = told.isEmpty();
      coverage.tell(listener);
      int[] times = new int[length];
      for (Range range : told) {
        for (int i = range.from(); i < range.to(); i++) {
          assertThat(touched.get(i)).as("seed %d, element %d", seed, i).contains(range.access());
          times[i]++;
        }
      }
      for (int i = 0; i < length; i++) {
        assertThat(times[i] > 0)
            .as("seed %d, element %d", seed, i)
            .isEqualTo(!touched.get(i).isEmpty());
      }
      if (isApart) {
        assertThat(Arrays.stream(times).max().orElse(0)).as("seed %d", seed).isLessThanOrEqualTo(1);
      }
    }
  }
}
