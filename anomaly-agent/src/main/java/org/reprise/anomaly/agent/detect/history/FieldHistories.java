package org.reprise.anomaly.agent.detect.history;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.hooks.Shadow;
import org.reprise.anomaly.hooks.Shadows;

/**
 * The access histories of fields. Objects of classes that were instrumented when they were loaded
 * hold their own ({@link Shadows}); those of others, and of the library, are found by identity.
 */
public final class FieldHistories {
  private static final int STATIC_PAGES = 1 << 12;
  private static final int PAGE_SIZE = 1 << 10;

  private final IdentityTable<Object, ObjectShadow> elsewhere = new IdentityTable<>();
  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<AccessHistory>> statics =
      new AtomicReferenceArray<>(STATIC_PAGES);

  /** The histories of an object; always the same for the same one. */
  public ObjectShadow of(Object object) {
    long offset = Shadows.offset(object.getClass());
    if (offset == 0) {
      return elsewhere.get(object, any -> new ObjectShadow(null));
    }
    Shadow shadow = Shadows.get(object, offset);
    return (ObjectShadow)
        (shadow != null ? shadow : Shadows.set(object, offset, new ObjectShadow(object)));
  }

  /** The history of a static field. */
  public AccessHistory ofStatic(int variable) {
    AtomicReferenceArray<AccessHistory> page = statics.get(variable / PAGE_SIZE);
    AccessHistory history = page == null ? null : page.get(variable % PAGE_SIZE);
    return history == null ? newStatic(variable) : history;
  }

  private synchronized AccessHistory newStatic(int variable) {
    AtomicReferenceArray<AccessHistory> page = statics.get(variable / PAGE_SIZE);
    if (page == null) {
      page = new AtomicReferenceArray<>(PAGE_SIZE);
      statics.set(variable / PAGE_SIZE, page);
    }
    page.compareAndSet(variable % PAGE_SIZE, null, new AccessHistory());
    return page.get(variable % PAGE_SIZE);
  }
}
