package org.reprise.viewer.picture;

import java.util.Arrays;

/** Numbers in a row that grows. */
public final class Longs {
  private long[] values = new long[16];
  private int size;

  public void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  public long get(int index) {
    return values[index];
  }

  public int size() {
    return size;
  }
}
