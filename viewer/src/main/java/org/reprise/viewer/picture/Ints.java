package org.reprise.viewer.picture;

import java.util.Arrays;

/** Numbers in a row that grows. */
public final class Ints {
  private int[] values = new int[16];
  private int size;

  public void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
  }

  public int get(int index) {
    return values[index];
  }

  public int size() {
    return size;
  }
}
