package org.reprise.anomaly.agent.detect.library;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.IdentityTable;

/**
 * A queue from block to block: who takes an element is after who put it. Elements are told apart by
 * identity. In which order concurrent blocks put and take is a finding of its own.
 *
 * <p>A put is on record before the library puts the element, since somebody may take it at once. It
 * is confirmed when the call has returned. One that was refused is withdrawn; one that ended with
 * an exception is never confirmed, and withdrawn when its thread, or one after it, puts again.
 */
public final class HandOff {
  private final IdentityTable<Object, Puts> inside = new IdentityTable<>();

  /** The puts that have not returned. */
  private final Map<ThreadOrder, Put> underway = new HashMap<>();

  /** Who put elements that are not known one by one. */
  private Release others = Release.NONE;

  /** The thread is about to put the element. */
  public synchronized void put(Object element, ThreadOrder threadOrder) {
    withdraw(threadOrder);
    underway.put(threadOrder, inside.get(element, any -> new Puts()).put(threadOrder));
  }

  /** The thread is about to put all of them. */
  public synchronized void putAll(@Nullable Object[] elements, ThreadOrder threadOrder) {
    withdraw(threadOrder);
    for (Object element : elements) {
      if (element != null) {
        inside.get(element, any -> new Puts()).put(threadOrder).isConfirmed = true;
      }
    }
  }

  /** The thread is about to put elements, nobody knows which. */
  public synchronized void putOthers(ThreadOrder threadOrder) {
    withdraw(threadOrder);
    others = others.and(threadOrder.release());
  }

  /** The thread's put has returned, and this is whether the element was accepted. */
  public synchronized void returned(boolean isAccepted, ThreadOrder threadOrder) {
    Put put = underway.get(threadOrder);
    if (put != null && isAccepted) {
      put.isConfirmed = true;
      underway.remove(threadOrder);
    } else {
      withdraw(threadOrder);
    }
  }

  private void withdraw(ThreadOrder threadOrder) {
    Put put = underway.remove(threadOrder);
    if (put != null) {
      put.among.withdraw(put);
    }
  }

  /** The thread took the element out. */
  public synchronized void take(Object element, ThreadOrder threadOrder) {
    Puts puts = inside.get(element);
    acquire(puts == null || puts.pending.isEmpty() ? others : puts.take(threadOrder), threadOrder);
  }

  /** The thread has seen the element, which stays. */
  public synchronized void see(Object element, ThreadOrder threadOrder) {
    Puts puts = inside.get(element);
    acquire(puts == null || puts.pending.isEmpty() ? others : puts.see(), threadOrder);
  }

  /** The thread gave an element for this one, which it did not put itself. */
  public synchronized void exchange(Object element, ThreadOrder threadOrder) {
    Puts puts = inside.get(element);
    Optional<Put> put =
        puts == null
            ? Optional.empty()
            : puts.pending.stream().filter(each -> each.by != threadOrder).findFirst();
    if (put.isPresent()) {
      put.get().among.pending.remove(put.get());
      threadOrder.acquire(put.get().release);
    }
  }

  private static void acquire(Release release, ThreadOrder threadOrder) {
    if (release != Release.NONE) {
      threadOrder.acquire(release);
    }
  }

  /** An element that was put once. */
  private static final class Put {
    final Puts among;
    final ThreadOrder by;

    /** The block that ended with it. */
    final int tag;

    final Release release;
    boolean isConfirmed;

    Put(Puts among, ThreadOrder by) {
      this.among = among;
      this.by = by;
      this.tag = by.tag;
      this.release = by.release();
    }
  }

  /**
   * The puts of one element that nobody has taken. A number or a signal may be in the queue several
   * times. If its puts follow each other, and its takes do, they meet in this order. Else it
   * depends on the schedule whose put was taken: a take is certainly after the first put, if that
   * is before all others, and who has taken all is after all.
   */
  private static final class Puts {
    final Deque<Put> pending = new ArrayDeque<>();

    /** The first since there was none. */
    private Release first = Release.NONE;

    /** Whether each put since then is after the one before it. */
    private boolean putsAreOrdered;

    private int lastPut;

    /** Those that were taken since then, if they are not ordered. */
    private Release taken = Release.NONE;

    private boolean takesAreOrdered;
    private int lastTake;

    Put put(ThreadOrder threadOrder) {
      // Whose block has ended is not about to put: the call ended with an exception.
      pending.removeIf(each -> !each.isConfirmed && threadOrder.isAfter(each.tag));
      boolean isFirst = pending.isEmpty();
      putsAreOrdered = isFirst || (putsAreOrdered && threadOrder.isAfter(lastPut));
      Put put = new Put(this, threadOrder);
      lastPut = put.tag;
      pending.add(put);
      if (isFirst) {
        first = put.release;
        taken = Release.NONE;
        takesAreOrdered = true;
        lastTake = 0;
      }
      return put;
    }

    void withdraw(Put put) {
      boolean wasThere = pending.remove(put);
      if (wasThere && !pending.isEmpty() && lastTake == 0) {
        putsAreOrdered |= pending.size() == 1;
        first = pending.element().release;
        lastPut = pending.getLast().tag;
      } else if (wasThere && put.release == first) {
        first = Release.NONE;
      }
    }

    Release take(ThreadOrder threadOrder) {
      takesAreOrdered &= lastTake == 0 || threadOrder.isAfter(lastTake);
      lastTake = threadOrder.tag;
      Put next = next();
      if (putsAreOrdered) {
        return takesAreOrdered ? next.release : first;
      }
      taken = taken.and(next.release);
      return takesAreOrdered && pending.isEmpty() ? taken : Release.NONE;
    }

    Release see() {
      Put next = pending.element();
      next.isConfirmed |= pending.size() == 1;
      if (!putsAreOrdered) {
        return Release.NONE;
      }
      return takesAreOrdered ? next.release : first;
    }

    /** One that has not returned need not have put it. */
    private Put next() {
      Put next =
          pending.stream().filter(put -> put.isConfirmed).findFirst().orElse(pending.element());
      pending.remove(next);
      return next;
    }
  }
}
