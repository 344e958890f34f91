package org.reprise.causality.columns;

import java.util.Arrays;

/**
 * Numbers that are appended and then only read, packed into as few bits each as the widest of their
 * block needs above the least. Fields of events are small or close to each other, so a column of
 * them takes a tenth of what an array of ints takes; guarded by the graph benchmark.
 */
public final class Column {
  private static final int BLOCK_SHIFT = 12;
  private static final int BLOCK = 1 << BLOCK_SHIFT;
  private static final int BLOCK_MASK = BLOCK - 1;

  /** Headers and fields of a block's two objects. */
  private static final int BLOCK_OVERHEAD_BYTES = 64;

  private Block[] blocks = new Block[4];

  /** The values behind the last whole block. */
  private long[] tail = new long[16];

  private int size;

  /** Values of {@code bits} bits each, on top of {@code least}; one may lie in two words. */
  private record Block(long[] packed, int bits, long mask, long least) {
    long get(int index) {
      int at = index * bits;
      int word = at >>> 6;
      // Shifted twice, as a shift by 64 is none.
      long low = packed[word] >>> at;
      long high = packed[word + 1] << 1 << ~at;
      return least + ((low | high) & mask);
    }
  }

  public void add(long value) {
    int at = size & BLOCK_MASK;
    if (at == tail.length) {
      tail = Arrays.copyOf(tail, Math.min(BLOCK, 2 * at));
    }
    tail[at] = value;
    size++;
    if (at == BLOCK_MASK) {
      int block = size - 1 >> BLOCK_SHIFT;
      if (block == blocks.length) {
        blocks = Arrays.copyOf(blocks, 2 * block);
      }
      blocks[block] = packed(tail);
    }
  }

  private static Block packed(long[] values) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    for (long value : values) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    int bits = Long.SIZE - Long.numberOfLeadingZeros(most - least);
    long[] packed = new long[(values.length * bits >>> 6) + 2];
    for (int i = 0; bits > 0 && i < values.length; i++) {
      int at = i * bits;
      int word = at >>> 6;
      packed[word] |= values[i] - least << at;
      packed[word + 1] |= values[i] - least >>> 1 >>> ~at;
    }
    return new Block(packed, bits, bits == 0 ? 0 : -1L >>> -bits, least);
  }

  /** The value with this number, from 0. */
  public long get(int index) {
    int block = index >> BLOCK_SHIFT;
    return block < size >> BLOCK_SHIFT
        ? blocks[block].get(index & BLOCK_MASK)
        : tail[index & BLOCK_MASK];
  }

  public int getInt(int index) {
    return (int) get(index);
  }

  public int size() {
    return size;
  }

  /** About what it takes of the heap. */
  public long bytes() {
    long bytes = (long) tail.length * Long.BYTES;
    for (int block = 0; block < size >> BLOCK_SHIFT; block++) {
      bytes += (long) blocks[block].packed.length * Long.BYTES + BLOCK_OVERHEAD_BYTES;
    }
    return bytes;
  }

  /** Writes all values, as they are packed. */
  public void write(NumberWriter out) {
    out.number(size);
    for (int block = 0; block < size >> BLOCK_SHIFT; block++) {
      out.number(blocks[block].bits);
      out.number(blocks[block].least);
      out.longs(blocks[block].packed);
    }
    out.longs(Arrays.copyOf(tail, size & BLOCK_MASK));
  }

  /** What was written. */
  public static Column read(NumberReader in) {
    Column column = new Column();
    column.size = in.integer();
    column.blocks = new Block[Math.max(1, column.size >> BLOCK_SHIFT)];
    for (int block = 0; block < column.size >> BLOCK_SHIFT; block++) {
      int bits = in.integer();
      long least = in.number();
      long[] packed = in.longs();
      if (bits < 0 || bits > Long.SIZE || packed.length < (BLOCK * bits >>> 6) + 2) {
        throw new IllegalStateException("not a block of a column");
      }
      column.blocks[block] = new Block(packed, bits, bits == 0 ? 0 : -1L >>> -bits, least);
    }
    long[] rest = in.longs();
    if (rest.length != (column.size & BLOCK_MASK)) {
      throw new IllegalStateException("not the end of a column");
    }
    column.tail = Arrays.copyOf(rest, Math.max(16, rest.length));
    return column;
  }

  public boolean isEqualTo(Column other) {
    if (size != other.size) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (get(i) != other.get(i)) {
        return false;
      }
    }
    return true;
  }
}
