package org.reprise.anomaly.agent.detect;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
import org.reprise.anomaly.agent.detect.history.Kind;
import org.reprise.anomaly.agent.detect.listing.ListedRoute;
import org.reprise.anomaly.agent.detect.listing.Listing;
import org.reprise.anomaly.agent.detect.listing.Listings;
import org.reprise.anomaly.hooks.Route;
import org.reprise.anomaly.hooks.Stamps;

/**
 * What one statement of one thread accessed here and there in one array. The first arrays of a
 * statement are stamped at once, so that the compiler gets to see what is done most. Where that was
 * little it only counts what is listed, until a loop lists much of the array.
 */
final class Stamped extends Stamps {
  /** A list of one in so many elements is as good as stamps. */
  private static final int LISTED_PART = 4;

  /** Stamps in one of so many chunks are worse than a list. */
  private static final int TOUCHED_PART = 16;

  /** After so many loops it is worth while to know what iterations go through again. */
  private static final int LOOPS_MIN = 2;

  /** So many of the last routes of an iteration are looked through for the same. */
  private static final int LATELY = 8;

  /** So many are kept or known before all others are stamped. */
  private static final int NOTED_MAX = 1 << 16;

  /** Listings of fewer elements are stamped as soon as they are found. */
  static final int LISTING_MIN = 64;

  final ArrayShadow shadow;
  final int site;
  final Kind kind;
  private final Listings listings;

  /** Others of the same statement, or of one that has the same slot. */
  @Nullable Stamped next;

  /** The number of the access, for whoever holds no lock. */
  private int access;

  /** Whether somebody asked what was read, so that it is better stamped at once. */
  private boolean wasAsked;

  private boolean isOpen;
  private @Nullable Fork listing;
  private int listed;

  /** How many loops there were; no more are counted than matter. */
  private int loops;

  /** So many indices that are read may still be kept; 0 where somebody will ask. */
  private int room;

  /** What is kept and not looked at, the newest first. */
  private @Nullable Noted unread;

  /** How many writes are kept or known. */
  private int notedCount;

  /** What was looked at, of {@link #listings}. */
  private @Nullable Noted read;

  /** What an iteration went through. */
  private record Noted(Listing listing, int tag, @Nullable Noted next) {}

  Stamped(ArrayShadow shadow, int site, Kind kind, Listings listings) {
    this.shadow = shadow;
    this.site = site;
    this.kind = kind;
    this.listings = listings;
  }

  /** At most as many of these, without those whose arrays have gone. */
  static @Nullable Stamped newest(@Nullable Stamped first, int max) {
    if (first == null || max == 0) {
      return null;
    }
    if (first.shadow.refersTo(null)) {
      return newest(first.next, max);
    }
    first.next = newest(first.next, max - 1);
    return first;
  }

  /** How many of these there are, without those whose arrays have gone. */
  static int count(@Nullable Stamped first) {
    int count = 0;
    for (Stamped each = first; each != null; each = each.next) {
      count += each.shadow.refersTo(null) ? 0 : 1;
    }
    return count;
  }

  boolean isOf(Object array, int otherSite, Kind otherKind) {
    return site == otherSite && kind == otherKind && shadow.refersTo(array);
  }

  /** The loop has listed more elements. */
  void listed(Fork loop, int count) {
    if (listing != loop) {
      listing = loop;
      listed = 0;
    }
    listed += count;
    if (last.length == 0 && (long) LISTED_PART * listed >= shadow.length()) {
      stamp();
    }
  }

  /** From the next loop on, or the next part of this one, accesses are stamped. */
  void stamp() {
    last = new int[shadow.length()];
    touched = new byte[(shadow.length() - 1 >>> CHUNK_BITS) + 1];
  }

  /** Whether accesses are stamped. */
  boolean isReady() {
    return last.length > 0;
  }

  /** Whether it belongs to a loop that has not been joined. */
  boolean isOpen() {
    return isOpen;
  }

  /** Whether lists are kept that are not looked at. */
  boolean hasUnread() {
    return unread != null;
  }

  /** A loop begins; this is the last tag before it. */
  void begin(int tag, int number) {
    floor = tag;
    access = number;
    room = kind.isWrite() || wasAsked ? 0 : shadow.length();
    isOpen = true;
    loops = Math.min(loops + 1, LOOPS_MIN);
  }

  /**
   * Who only reads an array that nobody writes meanwhile is never asked what it read. Who writes
   * what is known to be apart is asked no more than whether somebody did anything else.
   */
  @Override
  protected boolean keeps(
      int[] @Nullable [] lists, int count, int from, int to, int stride, int tag) {
    long size = Listing.size(count, from, to, stride);
    if (hasRoom(size)) {
      unread = new Noted(new Listing(lists, count, from, to, stride), tag, unread);
      return true;
    }
    return isWorthKnowing(size) && keepsApart(listings.of(lists, count, from, to, stride), tag);
  }

  @Override
  protected boolean keeps(Route route, int from, int to, int stride, int tag) {
    Listing known =
        route instanceof ListedRoute listed
            ? listed.listing(from, to, stride)
            : Listing.of(route, from, to, stride);
    if (isKept(known, tag)) {
      return true;
    }
    long size = Listing.size(route.count(), from, to, stride);
    if (hasRoom(size)) {
      unread = new Noted(known, tag, unread);
      return true;
    }
    return isWorthKnowing(size) && keepsApart(known, tag);
  }

  /** Whether this iteration has lately gone along the same route, which it need not say again. */
  private boolean isKept(Listing known, int tag) {
    Noted each = unread;
    for (int i = 0; i < LATELY && each != null && each.tag == tag; i++) {
      if (each.listing == known) {
        return true;
      }
      each = each.next;
    }
    return false;
  }

  private boolean hasRoom(long size) {
    boolean hasRoom = room >= size;
    room -= hasRoom ? (int) size : 0;
    return hasRoom;
  }

  private boolean isWorthKnowing(long size) {
    boolean isWorth =
        kind.isWrite()
            && !wasAsked
            && loops >= LOOPS_MIN
            && size >= LISTING_MIN
            && notedCount < NOTED_MAX;
    isMixed |= !isWorth;
    return isWorth;
  }

  private boolean keepsApart(Listing known, int tag) {
    boolean isApart = known.apart(shadow.length()) != null;
    notedCount++;
    if (isApart) {
      unread = new Noted(known, tag, unread);
    } else {
      read = new Noted(known, tag, read);
    }
    return isApart;
  }

  /** From now on stamps are all there is. */
  private void readAll() {
    for (Noted each = unread; each != null; each = each.next) {
      Listing names = each.listing;
      int[][] lists = names.lists();
      stamp(lists, lists.length, names.from(), names.to(), names.stride(), each.tag);
      read = new Noted(names, each.tag, read);
    }
    unread = null;
    room = 0;
  }

  /** Takes an iteration that accessed an element. */
  interface Action {
    void accept(int index, int tag, int access);
  }

  void forEach(Action action) {
    wasAsked = true;
    forEach(floor, Integer.MAX_VALUE, action);
  }

  /**
   * The elements of iterations after one, up to another. Others than the thread itself may ask for
   * iterations that it has left: where it overwrites one meanwhile, that is the one before.
   */
  void forEach(int after, int upTo, Action action) {
    int earlier = Math.max(after, floor);
    for (int chunk = 0; chunk < touched.length; chunk++) {
      for (int index = first(chunk); touched[chunk] != 0 && index < first(chunk + 1); index++) {
        int tag = last[index];
        VarHandle.acquireFence();
        int other = before(index);
        if (tag > earlier && tag <= upTo) {
          action.accept(index, tag, access);
        }
        if (other > earlier && other <= upTo) {
          action.accept(index, other, access);
        }
      }
    }
    for (Noted each = unread; each != null; each = each.next) {
      if (each.tag > earlier && each.tag <= upTo) {
        forEach(each.listing, each.tag, action);
      }
    }
  }

  private void forEach(Listing names, int tag, Action action) {
    for (int[] list : names.lists()) {
      for (int i = names.from(); i != names.to() && list != null; i += names.stride()) {
        if (list[i] >= 0 && list[i] < last.length) {
          action.accept(list[i], tag, access);
        }
      }
    }
  }

  private int first(int chunk) {
    return (int) Math.min((long) chunk << CHUNK_BITS, last.length);
  }

  /** The iteration of this loop before the last; 0 for none. */
  private int before(int index) {
    int[] known = before;
    return known != null && known[index] > floor ? known[index] : 0;
  }

  /** Whether iterations conflict, in stamps of one array. */
  static boolean conflict(List<Stamped> all) {
    if (areApart(all)) {
      return false;
    }
    all.stream().filter(one -> one.kind.isWrite()).forEach(Stamped::readAll);
    for (int i = 0; i < all.size(); i++) {
      Stamped one = all.get(i);
      if (one.kind.isWrite() && one.hasSeveral) {
        return true;
      }
      for (int j = 0; j < i; j++) {
        Stamped other = all.get(j);
        if (one.kind.conflictsWith(other.kind) && one.askedBy(other).meets(other.askedBy(one))) {
          return true;
        }
      }
    }
    areFoundApart(all);
    return false;
  }

  /**
   * Whether nothing was done but to go through listings that are apart, each of them in one
   * iteration.
   */
  private static boolean areApart(List<Stamped> all) {
    Object question = new Object();
    Listing.Apart apart = null;
    for (Stamped one : all) {
      if (one.isMixed || one.read != null) {
        return false;
      }
      for (Noted each = one.unread; each != null; each = each.next) {
        Listing.Apart known = each.listing.apart(one.shadow.length());
        if (known == null || (apart != null && known != apart)) {
          return false;
        }
        apart = known;
        if (!each.listing.isNewTo(question, each.tag) && !each.listing.isOf(each.tag)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * No two iterations have written the same element: if each went through one listing and nothing
   * besides, these are apart.
   */
  private static void areFoundApart(List<Stamped> all) {
    if (all.stream().anyMatch(one -> one.isMixed || !one.kind.isWrite())) {
      return;
    }
    Object question = new Object();
    List<Listing> found = new ArrayList<>();
    Set<Integer> iterations = new HashSet<>();
    for (Stamped one : all) {
      for (Noted each = one.read; each != null; each = each.next) {
        if (each.listing.isNewTo(question, each.tag)) {
          found.add(each.listing);
          if (!iterations.add(each.tag)) {
            // Several of one iteration: they may have anything in common.
            all.forEach(giving -> giving.wasAsked = true);
            return;
          }
        } else if (!each.listing.isOf(each.tag)) {
          return;
        }
      }
    }
    Listing.Apart apart = new Listing.Apart(all.get(0).shadow.length());
    found.forEach(each -> each.isApart(apart));
  }

  /** Iterations that write what others read are better stamped at once. */
  private Stamped askedBy(Stamped other) {
    readAll();
    wasAsked |= kind != other.kind;
    return this;
  }

  /** Whether two iterations accessed the same element, one here and one there. */
  private boolean meets(Stamped other) {
    for (int chunk = 0; chunk < touched.length; chunk++) {
      if ((touched[chunk] & other.touched[chunk]) != 0 && hasCommon(other, chunk)) {
        for (int index = first(chunk); index < first(chunk + 1); index++) {
          if (last[index] > floor
              && other.last[index] > other.floor
              && (last[index] != other.last[index]
                  || before(index) != 0
                  || other.before(index) != 0)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether both accessed an element of a chunk; without branches, so that it is compiled well. */
  private boolean hasCommon(Stamped other, int chunk) {
    int both = 0;
    for (int index = first(chunk), end = first(chunk + 1); index < end; index++) {
      both |= floor - last[index] & other.floor - other.last[index];
    }
    return both < 0;
  }

  /** The loop is over: nothing is stamped. */
  void end() {
    int count = 0;
    for (byte mark : touched) {
      count += mark;
    }
    if (!hasUnread() && count * TOUCHED_PART < touched.length) {
      last = NO_TAGS;
      touched = NO_MARKS;
    } else {
      Arrays.fill(touched, (byte) 0);
    }
    if (!hasSeveral) {
      before = null;
    }
    hasSeveral = false;
    isMixed = false;
    unread = null;
    read = null;
    notedCount = 0;
    isOpen = false;
  }
}
