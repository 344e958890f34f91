package org.reprise.anomaly.hooks;

import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** An array of which the detector knows something, and which that does not keep alive. */
public abstract class KnownArray extends WeakReference<Object> {
  private final int length;

  /** The array that the thread met next: mostly the next row of a matrix. */
  public volatile @Nullable KnownArray next;

  protected KnownArray(Object array) {
    super(array);
    this.length = Array.getLength(array);
  }

  public final int length() {
    return length;
  }
}
