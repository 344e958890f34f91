package org.reprise.causality;

import java.util.Arrays;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;

/**
 * The clocks of each rank that are kept to answer questions: one after every so many calls that
 * learned something. What a rank knows only grows, and little from one kept clock to the next, so
 * they stand in blocks: the first clock of a block in full, and of each what it is more than the
 * first, in 16 bits if all of the block fit.
 *
 * <p>A question reads two neighbouring clocks. They lie in flat arrays, since the time of a
 * question is that of the memory it touches; guarded by the graph benchmark.
 */
final class KeptClocks {
  private static final int ROWS_SHIFT = 5;
  private static final int ROWS = 1 << ROWS_SHIFT;
  private static final int ROW_MASK = ROWS - 1;
  private static final int BLOCKS_AT_FIRST = 4;

  /** What one slot of a kept clock takes, the share of its block's first clock included. */
  static final double SLOT_BYTES = Character.BYTES + (double) Integer.BYTES / ROWS;

  private static final char[] NARROW_NOT = new char[0];
  private static final int[] WIDE_NOT = new int[0];

  private final int ranks;
  private final int[] count;

  /** By rank and block. Of narrow and wide one is empty. */
  private final int[][][] first;

  private final char[][][] narrow;
  private final int[][][] wide;

  KeptClocks(int ranks) {
    this.ranks = ranks;
    count = new int[ranks];
    first = new int[ranks][BLOCKS_AT_FIRST][];
    narrow = new char[ranks][BLOCKS_AT_FIRST][];
    wide = new int[ranks][BLOCKS_AT_FIRST][];
  }

  /** Those that were written. */
  KeptClocks(int ranks, NumberReader in) {
    this(ranks);
    System.arraycopy(in.ints(), 0, count, 0, ranks);
    for (int rank = 0; rank < ranks; rank++) {
      int blocks = count[rank] + ROW_MASK >> ROWS_SHIFT;
      first[rank] = new int[Math.max(1, blocks)][];
      narrow[rank] = new char[Math.max(1, blocks)][];
      wide[rank] = new int[Math.max(1, blocks)][];
      for (int block = 0; block < blocks; block++) {
        first[rank][block] = in.ints();
        narrow[rank][block] = in.chars();
        wide[rank][block] = in.ints();
        if (first[rank][block].length != ranks
            || narrow[rank][block].length + wide[rank][block].length != ROWS * ranks) {
          throw new IllegalStateException("not a block of clocks");
        }
      }
    }
  }

  void write(NumberWriter out) {
    out.ints(count);
    for (int rank = 0; rank < ranks; rank++) {
      int blocks = count[rank] + ROW_MASK >> ROWS_SHIFT;
      for (int block = 0; block < blocks; block++) {
        out.ints(first[rank][block]);
        out.chars(narrow[rank][block]);
        out.ints(wide[rank][block]);
      }
    }
  }

  /** How many clocks of a rank are kept. */
  int count(int rank) {
    return count[rank];
  }

  void add(int rank, Clock clock) {
    int index = count[rank]++;
    int block = index >> ROWS_SHIFT;
    int row = index & ROW_MASK;
    if (row == 0) {
      begin(rank, block, clock);
    }
    int[] base = first[rank][block];
    int at = row * ranks;
    if (wide[rank][block].length == 0) {
      char[] rows = narrow[rank][block];
      for (int i = 0; i < ranks; i++) {
        int more = clock.slots[i] - base[i];
        if (more > Character.MAX_VALUE) {
          widen(rank, block);
          break;
        }
        rows[at + i] = (char) more;
      }
    }
    if (wide[rank][block].length != 0) {
      System.arraycopy(clock.slots, 0, wide[rank][block], at, ranks);
    }
  }

  private void begin(int rank, int block, Clock clock) {
    if (block == first[rank].length) {
      first[rank] = Arrays.copyOf(first[rank], 2 * block);
      narrow[rank] = Arrays.copyOf(narrow[rank], 2 * block);
      wide[rank] = Arrays.copyOf(wide[rank], 2 * block);
    }
    first[rank][block] = Arrays.copyOf(clock.slots, ranks);
    narrow[rank][block] = new char[ROWS * ranks];
    wide[rank][block] = WIDE_NOT;
  }

  private void widen(int rank, int block) {
    int[] base = first[rank][block];
    char[] rows = narrow[rank][block];
    int[] whole = new int[ROWS * ranks];
    for (int i = 0; i < whole.length; i++) {
      whole[i] = base[i % ranks] + rows[i];
    }
    wide[rank][block] = whole;
    narrow[rank][block] = NARROW_NOT;
  }

  /** What a rank knew of another at its kept clock with this number, from 0. */
  int get(int rank, int index, int of) {
    int block = index >> ROWS_SHIFT;
    int at = (index & ROW_MASK) * ranks + of;
    char[] rows = narrow[rank][block];
    return rows.length != 0 ? first[rank][block][of] + rows[at] : wide[rank][block][at];
  }
}
