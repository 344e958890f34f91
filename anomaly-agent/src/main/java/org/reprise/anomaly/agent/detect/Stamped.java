package org.reprise.anomaly.agent.detect;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Fork;
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

  final ArrayShadow shadow;
  final int site;
  final Kind kind;

  /** Others of the same statement, or of one that has the same slot. */
  @Nullable Stamped next;

  /** The number of the access, for whoever holds no lock. */
  private int access;

  /** Whether somebody asked what was read, so that it is better stamped at once. */
  private boolean wasAsked;

  private boolean isOpen;
  private @Nullable Fork listing;
  private int listed;

  Stamped(ArrayShadow shadow, int site, Kind kind) {
    this.shadow = shadow;
    this.site = site;
    this.kind = kind;
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

  /** A loop begins; this is the last tag before it. */
  void begin(int tag, int number) {
    floor = tag;
    access = number;
    room = kind.isWrite() || wasAsked ? 0 : shadow.length();
    isOpen = true;
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
    for (Unread each = unread; each != null; each = each.next()) {
      if (each.tag() > earlier && each.tag() <= upTo) {
        forEach(each, action);
      }
    }
  }

  private void forEach(Unread lists, Action action) {
    for (int[] list : lists.lists()) {
      for (int i = lists.from(); i != lists.to() && list != null; i += lists.stride()) {
        if (list[i] >= 0 && list[i] < last.length) {
          action.accept(list[i], lists.tag(), access);
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
    for (int i = 0; i < all.size(); i++) {
      Stamped one = all.get(i);
      if (one.kind.isWrite() && one.hasSeveral) {
        return true;
      }
      for (int j = 0; j < i; j++) {
        Stamped other = all.get(j);
        if (one.kind.conflictsWith(other.kind) && one.asked().meets(other.asked())) {
          return true;
        }
      }
    }
    return false;
  }

  private Stamped asked() {
    readAll();
    wasAsked = true;
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
    if (unread == null && count * TOUCHED_PART < touched.length) {
      last = NO_TAGS;
      touched = NO_MARKS;
    } else {
      Arrays.fill(touched, (byte) 0);
    }
    if (!hasSeveral) {
      before = null;
    }
    hasSeveral = false;
    unread = null;
    isOpen = false;
  }
}
