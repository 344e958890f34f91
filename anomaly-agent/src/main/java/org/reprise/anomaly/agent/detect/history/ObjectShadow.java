package org.reprise.anomaly.agent.detect.history;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.hooks.Shadow;

/** The access histories of an object: of its fields by number, or of its keys and itself. */
public final class ObjectShadow extends Shadow {
  /** Stands for the object as a whole among its keys. */
  public static final Object WHOLE = new Object();

  /** Stands for whatever element of a list somebody goes through or sets. */
  public static final Object ANY = new Object();

  /** The end of a queue that is put to. */
  public static final Object TAIL = new Object();

  /** The end of a queue that is taken from. */
  public static final Object HEAD = new Object();

  /** What functions made that the object ran: whoever has its value comes after them. */
  public static final Object MADE = new Object();

  private AccessHistory @Nullable [] fields;
  private int @Nullable [] numbers;
  private @Nullable Map<Object, AccessHistory> parts;

  private @Nullable Confinement confinement;

  /** The thread's thread got the object from a thread local. */
  public synchronized void confine(ThreadOrder threadOrder) {
    if (confinement == null) {
      confinement = new Confinement();
    }
    confinement.confine(threadOrder);
  }

  /** Whether an access by the thread concerns nobody else. */
  public boolean isConfinedTo(ThreadOrder threadOrder) {
    return confinement != null && isCovered(threadOrder);
  }

  private synchronized boolean isCovered(ThreadOrder threadOrder) {
    return confinement != null && confinement.covers(threadOrder);
  }

  public ObjectShadow(@Nullable Object owner) {
    super(owner);
  }

  public synchronized AccessHistory field(int number) {
    int[] known = numbers == null ? new int[0] : numbers;
    AccessHistory[] histories = fields == null ? new AccessHistory[0] : fields;
    for (int i = 0; i < known.length; i++) {
      if (known[i] == number) {
        return histories[i];
      }
    }
    int[] moreNumbers = Arrays.copyOf(known, known.length + 1);
    AccessHistory[] more = Arrays.copyOf(histories, known.length + 1);
    moreNumbers[known.length] = number;
    more[known.length] = new AccessHistory();
    numbers = moreNumbers;
    fields = more;
    return more[known.length];
  }

  public synchronized boolean has(Object key) {
    return parts != null && parts.containsKey(key);
  }

  public synchronized AccessHistory part(Object key) {
    if (parts == null) {
      parts = new HashMap<>();
    }
    return parts.computeIfAbsent(key, any -> new AccessHistory());
  }
}
