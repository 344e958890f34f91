package org.reprise.anomaly.agent.detect;

import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.detect.history.Kind;
import org.reprise.anomaly.agent.detect.listing.Listings;

/** The arrays whose elements one thread's statements access here and there, by the statement. */
final class StampedArrays {
  /** How many statements are told apart; a power of two. */
  private static final int STATEMENTS = 256;

  /** So few elements at a time are listed; so many arrays a statement are stamped. */
  private static final int STAMPED_MIN = 64;

  private static final int STAMPED_MAX = 8;

  /** Longer arrays are stamped only if lists were long. */
  private static final int TRIED_MAX = 1 << 17;

  private final @Nullable Stamped[] first = new Stamped[STATEMENTS];
  private final ArrayShadows shadows;
  private final Listings listings;

  StampedArrays(ArrayShadows shadows, Listings listings) {
    this.shadows = shadows;
    this.listings = listings;
  }

  /** Known, or one of the first arrays that the statement accesses here and there; else null. */
  @Nullable Stamped find(Object array, int site, Kind kind) {
    Stamped found = first[slot(site, kind)];
    while (found != null && !found.isOf(array, site, kind)) {
      found = found.next;
    }
    return found != null ? found : tried(array, site, kind);
  }

  private @Nullable Stamped tried(Object array, int site, Kind kind) {
    int length = Array.getLength(array);
    Stamped others = first[slot(site, kind)];
    if (length < STAMPED_MIN || length > TRIED_MAX || Stamped.count(others) >= STAMPED_MAX) {
      return null;
    }
    Stamped made = of(shadows.of(array), site, kind);
    made.stamp();
    return made;
  }

  /** Elements of the array were listed, so many at a time, in an iteration of the loop. */
  void listed(Fork loop, int count, ArrayShadow shadow, int site, Kind kind) {
    if (count >= STAMPED_MIN) {
      of(shadow, site, kind).listed(loop, count);
    }
  }

  private Stamped of(ArrayShadow shadow, int site, Kind kind) {
    int slot = slot(site, kind);
    for (Stamped each = first[slot]; each != null; each = each.next) {
      if (each.shadow == shadow && each.site == site && each.kind == kind) {
        return each;
      }
    }
    Stamped made = new Stamped(shadow, site, kind, listings);
    made.next = Stamped.newest(first[slot], STAMPED_MAX - 1);
    first[slot] = made;
    return made;
  }

  private static int slot(int site, Kind kind) {
    return AccessRange.statement(site, kind) & (STATEMENTS - 1);
  }
}
