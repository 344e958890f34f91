package mpi;

import java.util.Arrays;

/**
 * Where the elements of one item of a datatype lie, relative to its start: runs of (offset, length)
 * in the order of the type map, in units of elements of one basic type, as mpiJava counts. Runs
 * that touch are one run, so what is contiguous in memory is a single one however it was built.
 */
final class Layout {
  static final Layout EMPTY = new Layout(new int[0], new int[0], 0);

  private final int[] offsets;
  private final int[] lengths;

  /** How many elements an item has. */
  final int size;

  private Layout(int[] offsets, int[] lengths, int size) {
    this.offsets = offsets;
    this.lengths = lengths;
    this.size = size;
  }

  /** Collects runs, joining those that touch. */
  static final class Builder {
    private int[] offsets = new int[4];
    private int[] lengths = new int[4];
    private int runs;
    private int size;

    Builder add(int offset, int length) {
      if (length == 0) {
        return this;
      }
      size = Math.addExact(size, length);
      if (runs > 0 && offsets[runs - 1] + lengths[runs - 1] == offset) {
        lengths[runs - 1] += length;
        return this;
      }
      if (runs == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * runs);
        lengths = Arrays.copyOf(lengths, 2 * runs);
      }
      offsets[runs] = offset;
      lengths[runs++] = length;
      return this;
    }

    Builder add(Layout layout, int shift) {
      for (int run = 0; run < layout.offsets.length; run++) {
        add(layout.offsets[run] + shift, layout.lengths[run]);
      }
      return this;
    }

    Layout build() {
      return new Layout(Arrays.copyOf(offsets, runs), Arrays.copyOf(lengths, runs), size);
    }
  }

  /** The same runs where an element is so many smaller ones. */
  Layout scaled(int factor) {
    Builder scaled = new Builder();
    for (int run = 0; run < offsets.length; run++) {
      scaled.add(
          Math.multiplyExact(offsets[run], factor), Math.multiplyExact(lengths[run], factor));
    }
    return scaled.build();
  }

  /** Whether items that follow each other at this extent are one run from the start on. */
  boolean isContiguous(int extent) {
    return size == extent && offsets.length == 1 && offsets[0] == 0;
  }

  /** The first element that items touch, relative to their start. */
  long first(int items, int extent) {
    long first = Long.MAX_VALUE;
    for (int offset : offsets) {
      first = Math.min(first, offset + Math.min(0, (items - 1L) * extent));
    }
    return offsets.length == 0 || items == 0 ? 0 : first;
  }

  /** One behind the last element that items touch, relative to their start. */
  long end(int items, int extent) {
    long end = Long.MIN_VALUE;
    for (int run = 0; run < offsets.length; run++) {
      end = Math.max(end, offsets[run] + lengths[run] + Math.max(0, (items - 1L) * extent));
    }
    return offsets.length == 0 || items == 0 ? 0 : end;
  }

  /** Copies items out of a buffer, one element behind the other. */
  void gather(Memory from, int offset, int items, int extent, Object to, int at) {
    for (int item = 0; item < items; item++, offset += extent) {
      for (int run = 0; run < offsets.length; run++) {
        from.read(offset + offsets[run], to, at, lengths[run]);
        at += lengths[run];
      }
    }
  }

  /**
   * The reverse of {@link #gather}, for the first so many elements, which may end within an item.
   */
  void scatter(Object from, int at, int elements, Memory to, int offset, int extent) {
    for (int left = elements; left > 0; offset += extent) {
      for (int run = 0; run < offsets.length && left > 0; run++) {
        int length = Math.min(left, lengths[run]);
        to.write(offset + offsets[run], from, at, length);
        at += length;
        left -= length;
      }
    }
  }
}
