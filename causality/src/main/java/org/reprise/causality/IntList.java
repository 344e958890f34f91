package org.reprise.causality;

import java.util.Arrays;

/** Ints in a row that grows. */
final class IntList {
  private int[] values = new int[8];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size++] = value;
  }

  int get(int index) {
    return values[index];
  }

  int pop() {
    return values[--size];
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void clear() {
    size = 0;
  }

  /** Keeps the first {@code count}. */
  void truncate(int count) {
    size = count;
  }

  void set(int index, int value) {
    values[index] = value;
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
