package org.reprise.causality.columns;

import java.util.Arrays;

/** Ints in a row that grows. */
public final class IntList {
  private int[] values = new int[8];
  private int size;

  public void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  public int get(int index) {
    return values[index];
  }

  public int pop() {
    return values[--size];
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public void clear() {
    size = 0;
  }

  /** Keeps the first {@code count}. */
  public void truncate(int count) {
    size = count;
  }

  public void set(int index, int value) {
    values[index] = value;
  }

  public int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
