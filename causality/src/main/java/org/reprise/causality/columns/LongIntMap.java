package org.reprise.causality.columns;

import java.util.Arrays;

/** A hash table from long keys to int values that are not negative, without an object an entry. */
public final class LongIntMap {
  /** What {@link #get} returns for a key that is not there. */
  public static final int ABSENT = -1;

  private long[] keys;
  private int[] values;
  private int size;

  public LongIntMap() {
    keys = new long[16];
    values = new int[16];
    Arrays.fill(values, ABSENT);
  }

  public int get(long key) {
    return values[slot(key)];
  }

  public void put(long key, int value) {
    int slot = slot(key);
    if (values[slot] == ABSENT) {
      if (2 * ++size > keys.length) {
        grow();
        slot = slot(key);
      }
      keys[slot] = key;
    }
    values[slot] = value;
  }

  /** The value of a key, which becomes {@code fresh} if it had none. */
  public int putIfAbsent(long key, int fresh) {
    int value = get(key);
    if (value == ABSENT) {
      put(key, fresh);
      return fresh;
    }
    return value;
  }

  public int size() {
    return size;
  }

  public void clear() {
    if (size > 0) {
      Arrays.fill(values, ABSENT);
      size = 0;
    }
  }

  /** Writes all entries. */
  public void write(NumberWriter out) {
    out.number(size);
    for (int i = 0; i < keys.length; i++) {
      if (values[i] != ABSENT) {
        out.number(keys[i]);
        out.number(values[i]);
      }
    }
  }

  /** What was written. */
  public static LongIntMap read(NumberReader in) {
    LongIntMap map = new LongIntMap();
    int entries = in.length(2 * Long.BYTES);
    for (int i = 0; i < entries; i++) {
      long key = in.number();
      map.put(key, in.integer());
    }
    return map;
  }

  private int slot(long key) {
    long hash = key * 0x9E3779B97F4A7C15L;
    int slot = (int) (hash >>> 32) & (keys.length - 1);
    while (values[slot] != ABSENT && keys[slot] != key) {
      slot = (slot + 1) & (keys.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = new int[keys.length];
    Arrays.fill(values, ABSENT);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != ABSENT) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
