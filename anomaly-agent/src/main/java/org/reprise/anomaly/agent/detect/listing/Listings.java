package org.reprise.anomaly.agent.detect.listing;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * The {@link Listing}s that iterations went through, so that they are known when another iteration
 * does the same: programs that go through a mesh do so in each of their steps. By their first
 * lists; they are not kept if memory is short.
 */
public final class Listings {
  /** So many lists are kept before all of them are forgotten. */
  private static final int LISTS_MAX = 1 << 20;

  private volatile IdentityTable<int[], SoftReference<Listing>> known = new IdentityTable<>();
  private final AtomicInteger size = new AtomicInteger();

  /** The one listing of these lists. */
  public Listing of(int[] @Nullable [] lists, int count, int from, int to, int stride) {
    int[] first = lists[0];
    if (first == null) {
      throw new IllegalArgumentException("no list");
    }
    IdentityTable<int[], SoftReference<Listing>> table = known;
    SoftReference<Listing> reference = table.get(first);
    Listing found = reference == null ? null : reference.get();
    if (found != null && found.isOf(lists, count, from, to, stride)) {
      return found;
    }
    Listing made = new Listing(lists, count, from, to, stride);
    table.put(first, new SoftReference<>(made));
    if (size.addAndGet(count) > LISTS_MAX) {
      size.set(0);
      known = new IdentityTable<>();
    }
    return made;
  }
}
