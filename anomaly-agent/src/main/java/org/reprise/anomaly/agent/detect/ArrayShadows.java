package org.reprise.anomaly.agent.detect;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The shadows of the arrays that one thread used lately: found without a lock, and without keeping
 * the arrays alive beyond a garbage collection or two.
 *
 * <p>Hot path: once for each array that a statement turns to. Benchmarks: {@code bench/anomalies lu
 * sparse}.
 */
final class ArrayShadows {
  private static final int SIZE_MIN = 1 << 8;
  private static final int SIZE_MAX = 1 << 16;

  private final AnomalyDetector detector;

  /** Arrays with their shadows, by identity; a slot that is free is followed by no other. */
  private @Nullable Object[] keys = new Object[SIZE_MIN];

  private ArrayShadow[] shadows = new ArrayShadow[SIZE_MIN];
  private int count;

  /** Where the next new shadow goes. */
  private Neighbours neighbours;

  /** Dies with the next garbage collection, upon which the arrays above are let go. */
  private WeakReference<Object> collected = new WeakReference<>(new Object());

  ArrayShadows(AnomalyDetector detector) {
    this.detector = detector;
    this.neighbours = detector.newNeighbours();
  }

  /** Forgets the arrays, if there was a garbage collection since that was done last. */
  void letGo() {
    if (collected.refersTo(null)) {
      clear(SIZE_MIN);
    }
  }

  /** The shadow of an array, which is mostly one of those used before. */
  ArrayShadow of(Object array) {
    int slot = slot(array);
    return keys[slot] == array ? shadows[slot] : add(array, slot);
  }

  /** Where the array is, or would be. */
  private int slot(Object array) {
    Object[] all = keys;
    int mask = all.length - 1;
    int slot = (System.identityHashCode(array) * 0x9E3779B9) >>> 16 & mask;
    while (all[slot] != array && all[slot] != null) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private ArrayShadow add(Object array, int free) {
    if (neighbours.isFull()) {
      neighbours = detector.newNeighbours();
    }
    ArrayShadow shadow = detector.shadow(array, neighbours);
    int slot = free;
    if (2 * (count + 1) > keys.length) {
      grow();
      slot = slot(array);
    }
    put(slot, array, shadow);
    return shadow;
  }

  /** Makes room: twice as much, or, where that is too much, by forgetting all. */
  private void grow() {
    Object[] oldKeys = keys;
    ArrayShadow[] old = shadows;
    boolean isFull = oldKeys.length >= SIZE_MAX;
    clear(isFull ? SIZE_MIN : 2 * oldKeys.length);
    for (int i = 0; i < oldKeys.length && !isFull; i++) {
      Object key = oldKeys[i];
      if (key != null) {
        put(slot(key), key, old[i]);
      }
    }
  }

  private void put(int slot, Object array, ArrayShadow shadow) {
    keys[slot] = array;
    shadows[slot] = shadow;
    count++;
  }

  private void clear(int size) {
    keys = new Object[size];
    shadows = new ArrayShadow[size];
    count = 0;
    collected = new WeakReference<>(new Object());
  }
}
