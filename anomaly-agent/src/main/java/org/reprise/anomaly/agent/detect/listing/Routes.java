package org.reprise.anomaly.agent.detect.listing;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.detect.history.IdentityTable;
import org.reprise.anomaly.hooks.Route;

/**
 * The {@link Route}s of loops, so that they are known when a loop takes one again, as it does in
 * each step of a program: then the numbers of its rows are compared, and no row is looked at. By
 * their first rows; they are not kept if memory is short.
 */
public final class Routes {
  /** A visit saves some 20 ns, and a route costs some hundreds: it is no use for fewer visits. */
  public static final int VISITS_MIN = 16;

  /** So many rows are kept before all routes are forgotten. */
  private static final int ROWS_MAX = 1 << 20;

  private volatile IdentityTable<int[], SoftReference<ListedRoute>> known = new IdentityTable<>();
  private final AtomicInteger size = new AtomicInteger();

  /** As {@link Route#of}; null also for a short one, which is as well gone without. */
  public @Nullable Route of(
      int[][] rows, int @Nullable [] numbers, int from, int to, int low, int high) {
    int[] first = Route.first(rows, numbers, from);
    if (first == null || to - from < VISITS_MIN) {
      return null;
    }
    IdentityTable<int[], SoftReference<ListedRoute>> table = known;
    SoftReference<ListedRoute> reference = table.get(first);
    ListedRoute found = reference == null ? null : reference.get();
    if (found != null && found.isOf(rows, numbers, from, to, low, high)) {
      return found;
    }
    Route route = Route.of(rows, numbers, from, to, low, high);
    if (route == null) {
      return null;
    }
    ListedRoute made = new ListedRoute(route);
    table.put(first, new SoftReference<>(made));
    if (size.addAndGet(route.count()) > ROWS_MAX) {
      size.set(0);
      known = new IdentityTable<>();
    }
    return made;
  }
}
