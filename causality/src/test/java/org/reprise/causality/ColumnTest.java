package org.reprise.causality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.reprise.causality.columns.Column;

class ColumnTest {
  private static final int BLOCKS = 3;

  /** As many as Column has in a block, and some. */
  private static final int MANY = BLOCKS * 4096 + 7;

  @Test
  void valuesOfEveryWidthComeBackAsTheyWere() {
    long seed = 20_261_117L;
    SplittableRandom random = new SplittableRandom(seed);
    for (int bits = 0; bits <= Long.SIZE; bits++) {
      long least = random.nextLong();
      long[] values = new long[MANY];
      for (int i = 0; i < MANY; i++) {
        long offset = bits == 0 ? 0 : random.nextLong() >>> Long.SIZE - bits;
        values[i] = least + offset;
      }
      check("offsets of " + bits + " bits, seed " + seed, values);
    }
  }

  @Test
  void extremesAreHeldWithinOneBlock() {
    long[] values = new long[MANY];
    for (int i = 0; i < MANY; i++) {
      values[i] =
          switch (i % 4) {
            case 0 -> Long.MIN_VALUE;
            case 1 -> Long.MAX_VALUE;
            case 2 -> -1;
            default -> i;
          };
    }
    check("extremes", values);
  }

  @Test
  void blocksDifferInWidth() {
    long[] values = new long[MANY];
    for (int i = 0; i < MANY; i++) {
      values[i] = i < 4096 ? -1 : i < 8192 ? i & 1 : (long) i * i;
    }
    check("blocks", values);
  }

  /** Also while the column grows, as events name earlier ones of their rank. */
  private static void check(String what, long[] values) {
    Column column = new Column();
    for (int i = 0; i < values.length; i++) {
      column.add(values[i]);
      assertThat(column.get(i / 2)).as(what).isEqualTo(values[i / 2]);
      assertThat(column.get(i)).as(what).isEqualTo(values[i]);
    }
    assertThat(column.size()).isEqualTo(values.length);
    for (int i = 0; i < values.length; i++) {
      assertThat(column.get(i)).as(what).isEqualTo(values[i]);
    }
  }
}
