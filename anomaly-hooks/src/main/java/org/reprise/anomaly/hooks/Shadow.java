package org.reprise.anomaly.hooks;

import org.jspecify.annotations.Nullable;

/**
 * What the detector knows of one object. The object holds it in a field that its class got when it
 * was loaded ({@link Shadows}), so that asking is one load.
 */
public abstract class Shadow {
  /** A group with this bit is never marked; groups beyond the others have it. */
  static final int NO_BIT = 31;

  /**
   * Whose shadow this is: a clone of an object has the reference, too, and must not take it for its
   * own. Null if the object does not hold it.
   */
  private final @Nullable Object owner;

  /**
   * The upper half is the number of a loop, the lower has a bit for each group of fields that so
   * many of its iterations have read that more add nothing. Threads overwrite each other's marks,
   * and every mark is true, whenever it is seen: it needs no order, which would keep compilers from
   * moving anything across the check, but it must be read at once.
   */
  private long readers;

  private static final boolean READS_LONGS_AT_ONCE =
      "64".equals(System.getProperty("sun.arch.data.model"));

  protected Shadow(@Nullable Object owner) {
    this.owner = owner;
  }

  public final boolean isOf(Object object) {
    return owner == object;
  }

  /** Whether a further iteration that reads the group adds nothing. Hot path: n-body. */
  public final boolean isReadByMany(int group, Context context) {
    long seen = readers;
    return (seen ^ context.loop) >>> 32 == 0 && (seen >>> group & 1) != 0;
  }

  /** Two iterations of the context's loop have read the group. */
  public final void readByMany(int group, Context context) {
    int bit = group & (Long.SIZE - 1);
    if (context.loop != 0 && bit != NO_BIT && READS_LONGS_AT_ONCE) {
      long seen = readers;
      long marks = (seen ^ context.loop) >>> 32 == 0 ? seen : context.loop;
      readers = marks | 1L << bit;
    }
  }
}
