package org.reprise.anomaly.agent.detect.history;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Numbers for accesses, from 1 on. */
public final class Accesses {
  /** Sites, kinds and sets of locks that really occur together; a table this long is never full. */
  private static final int PAGES = 1 << 14;

  private static final int PAGE_SIZE = 1 << 12;

  private final ConcurrentHashMap<Long, Integer> numbers = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<Access @Nullable []> pages = new AtomicReferenceArray<>(PAGES);
  private int next = 1;

  public int number(int site, Kind kind, int locks) {
    long key = ((long) site << 35) | ((long) locks << 3) | kind.ordinal();
    Integer number = numbers.get(key);
    return number != null ? number : add(key, new Access(site, kind, locks));
  }

  private synchronized int add(long key, Access access) {
    Integer there = numbers.get(key);
    if (there != null) {
      return there;
    }
    int number = next++;
    Access[] page = pages.get(number / PAGE_SIZE);
    if (page == null) {
      page = new Access[PAGE_SIZE];
    }
    page[number % PAGE_SIZE] = access;
    pages.set(number / PAGE_SIZE, page);
    numbers.put(key, number);
    return number;
  }

  public Access get(int number) {
    Access[] page = pages.get(number / PAGE_SIZE);
    if (page == null) {
      throw new IllegalArgumentException("no access has the number " + number);
    }
    return page[number % PAGE_SIZE];
  }
}
