package org.reprise.anomaly.agent.detect.listing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.hooks.Route;

/** A route with what is known of it: the listings of statements that go along it. */
public final class ListedRoute extends Route {
  private static final Listing[] NONE = new Listing[0];

  private volatile Listing[] listings = NONE;

  public ListedRoute(Route route) {
    super(route);
  }

  /** The one listing of all rows, each from one place to another. */
  public Listing listing(int from, int to, int stride) {
    Listing known = find(from, to, stride);
    return known != null ? known : make(from, to, stride);
  }

  private @Nullable Listing find(int from, int to, int stride) {
    for (Listing each : listings) {
      if (each.from() == from && each.to() == to && each.stride() == stride) {
        return each;
      }
    }
    return null;
  }

  private synchronized Listing make(int from, int to, int stride) {
    Listing known = find(from, to, stride);
    if (known != null) {
      return known;
    }
    Listing made = Listing.of(this, from, to, stride);
    Listing[] more = Arrays.copyOf(listings, listings.length + 1);
    more[listings.length] = made;
    listings = more;
    return made;
  }
}
