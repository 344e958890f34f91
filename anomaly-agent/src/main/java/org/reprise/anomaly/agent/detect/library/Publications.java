package org.reprise.anomaly.agent.detect.library;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.block.Release;
import org.reprise.anomaly.agent.block.ThreadOrder;
import org.reprise.anomaly.agent.detect.history.IdentityTable;
import org.reprise.anomaly.hooks.Waits;

/**
 * Writes of variables that others wait for in a loop, and which of them come before the end of the
 * wait on every schedule.
 *
 * <p>The values that a variable takes one after the other are the same on every schedule if its
 * writes are ordered, or if all of them add the same number. (Other writes beside each other are
 * findings of their own.) Then a loop that ends only when a test of the value holds ends after all
 * writes that found a value for which it does not: the first of them, those after it up to the
 * first that found one for which it does. Where the loop waits in a lock, the write must hold it,
 * and wake up the loop: else that one may wait forever.
 */
public final class Publications {
  /** Of a variable that is written more often beside others, nobody remembers what it was. */
  private static final int WRITES_MAX = 1024;

  /** Stands for the object of static fields. */
  private static final Object STATICS = new Object();

  private final IdentityTable<Object, Map<Integer, Writes>> byObject = new IdentityTable<>();
  private final LockSets locks;

  public Publications(LockSets locks) {
    this.locks = locks;
  }

  /** The writes of one variable, as they came; some are forgotten if there were too many. */
  static final class Writes {
    final List<AwaitedWrite> all = new ArrayList<>();
    boolean areForgotten;
  }

  /**
   * A test that ends a loop.
   *
   * @param signal in what the loop waits, if it waits in a lock
   */
  public record Condition(int test, long other, @Nullable Object signal) {
    boolean holds(long value) {
      return Waits.holds(test, value, other);
    }

    boolean waitsInLock() {
      return (test & Waits.IN_LOCK) != 0;
    }
  }

  /**
   * The thread is about to write a variable that needs no lock.
   *
   * @param open gets the write, if the thread may still wake up others before it gives back a lock
   * @return what is before those who see it
   */
  public Release publish(
      @Nullable Object object,
      int variable,
      long before,
      long after,
      List<AwaitedWrite> open,
      ThreadOrder threadOrder) {
    int tag = threadOrder.tag;
    Release release = threadOrder.release();
    AwaitedWrite write = new AwaitedWrite(of(object, variable), tag, before, after, null);
    write.isReleased(release); // before others find it
    add(write, open, threadOrder);
    return release;
  }

  /** The thread is about to write a variable that others see once it gives back a lock. */
  public void write(
      @Nullable Object object,
      int variable,
      long before,
      long after,
      List<AwaitedWrite> open,
      ThreadOrder threadOrder) {
    AwaitedWrite write =
        new AwaitedWrite(of(object, variable), threadOrder.tag, before, after, threadOrder.locks());
    add(write, open, threadOrder);
  }

  /** All who wait in the monitor, or for the condition, are about to be woken up. */
  public static void wakesAll(Object signal, List<AwaitedWrite> open) {
    open.forEach(write -> write.wakesAll(signal));
  }

  /** The thread is about to give back a lock. */
  public static void giveBack(Release release, List<AwaitedWrite> open) {
    open.forEach(write -> write.isReleased(release));
    open.clear();
  }

  private static void add(AwaitedWrite write, List<AwaitedWrite> open, ThreadOrder threadOrder) {
    if (threadOrder.locks() != 0 && open.size() < WRITES_MAX) {
      open.add(write); // of those beyond, nobody learns that they were released
    }
    Writes writes = write.variable;
    synchronized (writes) {
      List<AwaitedWrite> all = writes.all;
      all.removeIf(old -> threadOrder.isAfter(old.tag) && old.tag <= threadOrder.floor);
      write.follows = all.isEmpty() || threadOrder.isAfter(all.get(all.size() - 1).tag);
      if (all.size() == WRITES_MAX) {
        all.remove(0);
        writes.areForgotten = true;
      }
      all.add(write);
    }
  }

  /** The thread has left a loop in which it waited for the variable. */
  public void left(
      @Nullable Object object, int variable, Condition condition, ThreadOrder threadOrder) {
    Writes writes = of(object, variable);
    List<AwaitedWrite> news;
    boolean areForgotten;
    synchronized (writes) {
      areForgotten = writes.areForgotten;
      news = writes.all.stream().dropWhile(write -> threadOrder.isAfter(write.tag)).toList();
    }
    List<AwaitedWrite> seen = news.stream().filter(write -> isSeen(write, threadOrder)).toList();
    if (!news.isEmpty() && seen.size() == news.size() && !areForgotten) {
      before(news, condition).forEach(write -> threadOrder.acquire(write.release()));
    }
    seen.forEach(write -> threadOrder.see(write.release()));
  }

  /** Whether the thread has seen what came before the write, if it has seen the write. */
  private boolean isSeen(AwaitedWrite write, ThreadOrder threadOrder) {
    return write.release() != Release.NONE
        && (write.locks == null || locks.meet(write.locks, threadOrder.locks()));
  }

  /** The writes that are before the end of the wait on every schedule. */
  private static List<AwaitedWrite> before(List<AwaitedWrite> news, Condition condition) {
    boolean areOrdered = news.stream().skip(1).allMatch(write -> write.follows);
    List<AwaitedWrite> first =
        news.stream().takeWhile(write -> !condition.holds(write.before)).toList();
    if (areOrdered) {
      boolean endsWait = !first.isEmpty() && wakes(first.get(first.size() - 1), condition);
      return endsWait ? first : List.of();
    }
    long start = news.get(0).before;
    long step = news.get(0).after - start;
    boolean areEqual = step != 0 && first.size() == news.size();
    for (int i = 0; i < news.size(); i++) {
      AwaitedWrite write = news.get(i);
      areEqual &= write.before == start + i * step && write.after == write.before + step;
      areEqual &= wakes(write, condition);
    }
    return areEqual ? first : List.of();
  }

  private static boolean wakes(AwaitedWrite write, Condition condition) {
    return !condition.waitsInLock() || write.hasWoken(condition.signal());
  }

  private Writes of(@Nullable Object object, int variable) {
    Map<Integer, Writes> variables =
        byObject.get(object == null ? STATICS : object, any -> new HashMap<>());
    synchronized (variables) {
      return variables.computeIfAbsent(variable, any -> new Writes());
    }
  }
}
