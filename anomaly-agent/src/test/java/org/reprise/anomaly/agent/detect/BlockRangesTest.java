package org.reprise.anomaly.agent.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reprise.anomaly.agent.detect.history.AccessSets;
import org.reprise.anomaly.agent.detect.history.Accesses;
import org.reprise.anomaly.agent.detect.history.Kind;

/** What a block did to arrays, until their shadows are told. */
class BlockRangesTest {
  private record Told(ArrayShadow shadow, int from, int to, int access) {}

  private final List<Told> told = new ArrayList<>();
  private final BlockRanges ranges =
      new BlockRanges((shadow, from, to, access) -> told.add(new Told(shadow, from, to, access)));
  private final ArrayShadow first = shadow();
  private final ArrayShadow second = shadow();

  private static ArrayShadow shadow() {
    return new Neighbours(0).add(new int[100], new Accesses(), new AccessSets());
  }

  @Test
  void anArrayThatIsAccessedAlikeGoesOnWhereItWas() {
    Coverage reads = ranges.of(first, Kind.READ, 0);
    assertThat(ranges.of(second, Kind.READ, 0)).isNotSameAs(reads);
    assertThat(ranges.of(first, Kind.WRITE, 0)).isNotSameAs(reads);
    assertThat(ranges.of(first, Kind.READ, 1)).isNotSameAs(reads);
    assertThat(ranges.of(first, Kind.READ, 0)).isSameAs(reads);
  }

  @Test
  void everyRangeIsToldOnceAndOfItsOwnArray() {
    ranges.of(first, Kind.READ, 0).add(1, 5, 7);
    ranges.of(second, Kind.READ, 0).add(2, 6, 8);
    ranges.of(first, Kind.WRITE, 0).add(3, 4, 9);
    assertThat(told).isEmpty();
    ranges.tell();
    assertThat(told)
        .containsExactlyInAnyOrder(
            new Told(first, 1, 5, 7), new Told(second, 2, 6, 8), new Told(first, 3, 4, 9));
    told.clear();
    ranges.tell();
    assertThat(told).isEmpty();
  }

  @Test
  void oneArrayCanBeToldByItself() {
    Coverage reads = ranges.of(first, Kind.READ, 0);
    reads.add(1, 5, 7);
    ranges.of(second, Kind.READ, 0).add(2, 6, 8);
    ranges.tell(reads);
    assertThat(told).containsExactly(new Told(first, 1, 5, 7));
    reads.add(8, 9, 7);
    ranges.tell();
    assertThat(told)
        .containsExactlyInAnyOrder(
            new Told(first, 1, 5, 7), new Told(first, 8, 9, 7), new Told(second, 2, 6, 8));
  }

  /** What is begun anew loses nothing of what was there. */
  @Test
  void anArrayThatWasNotUsedForLongIsToldWhole() {
    ranges.of(first, Kind.READ, 0).add(1, 5, 7);
    for (int i = 0; i < 20; i++) {
      ranges.of(shadow(), Kind.READ, 0).add(0, 1, 7);
    }
    ranges.of(first, Kind.READ, 0).add(20, 30, 7);
    ranges.tell();
    assertThat(told).contains(new Told(first, 1, 5, 7), new Told(first, 20, 30, 7)).hasSize(22);
  }

  @Test
  void thereIsRoomAgainWhenAllIsTold() {
    int count = 0;
    for (; !ranges.isFull(); count++) {
      ranges.of(shadow(), Kind.READ, 0).add(0, 1, count);
    }
    ranges.tell();
    assertThat(told).hasSize(count).extracting(Told::access).doesNotHaveDuplicates();
    assertThat(ranges.isFull()).isFalse();
    told.clear();
    ranges.of(second, Kind.WRITE, 0).add(4, 5, 6);
    ranges.tell();
    assertThat(told).containsExactly(new Told(second, 4, 5, 6));
  }
}
