package org.reprise.anomaly.hooks;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Arrays whose objects have all been read by so many iterations of a loop that more add nothing, as
 * far as one thread knows: then an inner loop over them need not ask each object. The arrays always
 * hold the same objects, and a mark stays true as long as its loop runs, so what was once seen of
 * an array need not be looked at again.
 */
final class ReadArrays {
  private static final int GROUPS = 64;

  /** In each loop at most so many times the array's objects are looked at. */
  private static final int LOOKS_MAX = 4;

  /** What is known of a group of fields in a loop. */
  private static final class Look {
    /** The loop in the upper half, as in {@link Context#loop}; the group in the lower. */
    final long key;

    /** How many objects may still be looked at; 0 if no more is to be found out. */
    long left;

    /** The array, if it is known that all its objects are read. */
    @Nullable WeakReference<Object> array;

    Look(long key, long left) {
      this.key = key;
      this.left = left;
    }
  }

  /** Before the first loop. */
  private static final Look NONE = new Look(0, 0);

  private final Look[] looks = new Look[GROUPS];

  ReadArrays() {
    Arrays.fill(looks, NONE);
  }

  private static int slot(int group) {
    return group / Long.SIZE & (GROUPS - 1);
  }

  /** Whether it is known that the group is read of all objects of the array. Hot path: n-body. */
  boolean contains(Object array, int group, long loop) {
    Look last = looks[slot(group)];
    WeakReference<Object> found = last.array;
    return last.key == (loop | group) && found != null && found.refersTo(array);
  }

  /** Whether to look at an array may add to what is known. */
  boolean mayLook(int group, long loop) {
    Look last = looks[slot(group)];
    // Groups that share a place must not take turns in one loop: each would look again and again.
    return last.key == (loop | group) ? last.left > 0 : (last.key ^ loop) >>> Integer.SIZE != 0;
  }

  /** Looks at an array, if that is not too much. */
  boolean look(Object[] array, int group, Context context) {
    Look last = looks[slot(group)];
    if (last.key != (context.loop | group)) {
      last = new Look(context.loop | group, (long) LOOKS_MAX * array.length);
      looks[slot(group)] = last;
    }
    // Loops mostly go upwards, so that the last object is the last to be read.
    for (int i = array.length - 1; i >= 0; i--) {
      last.left = Math.max(last.left - 1, 0);
      if (last.left == 0 || !isReadByMany(array[i], group, context)) {
        return false;
      }
    }
    last.left = 0;
    last.array = new WeakReference<>(array);
    return true;
  }

  private static boolean isReadByMany(@Nullable Object object, int group, Context context) {
    long offset = object == null ? 0 : Shadows.offset(object.getClass());
    Shadow shadow = object == null || offset == 0 ? null : Shadows.get(object, offset);
    return shadow != null && shadow.isReadByMany(group, context);
  }
}
