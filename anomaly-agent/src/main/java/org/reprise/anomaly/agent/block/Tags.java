package org.reprise.anomaly.agent.block;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Gives out tags and knows to which task each belongs. Tags rise along every path of forks and
 * joins (Hood, Kennedy and Mellor-Crummey 1990, 2.2), so that most questions of order are one
 * comparison with a floor; what remains is answered from the forks above a tag ({@link
 * ThreadOrder#isAfter}).
 *
 * <p>Departure from the paper: tags of a loop are given out leaf by leaf as its iterations start,
 * since a stream mostly does not know its length; they are still unique, and above everything
 * before. A loop that is declared ahead has all of its tags at once.
 */
public final class Tags {
  private static final int PAGE_BITS = 12;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;

  private final AtomicInteger next = new AtomicInteger(1);

  /** By the upper bits of a tag: spans by the lower bits, or the one span that all of them have. */
  private final AtomicReferenceArray<@Nullable Object> pages =
      new AtomicReferenceArray<>(1 << (31 - PAGE_BITS));

  private final AtomicInteger loops = new AtomicInteger();
  private volatile int dropped;

  /** The tag for one more block of the task that the span stands for. */
  int step(Span ofTask) {
    int tag = take(1);
    page(tag)[tag & (PAGE_SIZE - 1)] = ofTask;
    return tag;
  }

  /** The tag for the first block of a new task. */
  int task(@Nullable Fork fork) {
    return iterations(fork, 1, -1);
  }

  /** The first of {@code count} tags for iterations of a loop. */
  int iterations(@Nullable Fork fork, int count, long firstIteration) {
    int first = take(count);
    Span span = new Span(fork, first, 0, firstIteration);
    int next = first;
    while (next < first + count) {
      int inPage = next & (PAGE_SIZE - 1);
      int end = Math.min(PAGE_SIZE, inPage + first + count - next);
      if (end - inPage == PAGE_SIZE) {
        pages.setRelease(next >>> PAGE_BITS, span);
      } else {
        Arrays.fill(page(next), inPage, end, span);
      }
      next += end - inPage;
    }
    return first;
  }

  /** Nobody has used the tags, which {@link #iterations} gave last. */
  void giveBack(int first, int count) {
    for (int page = first >>> PAGE_BITS; page <= (first + count - 1) >>> PAGE_BITS; page++) {
      if (pages.get(page) instanceof Span) {
        pages.set(page, null);
      }
    }
    next.compareAndSet(first + count, first);
  }

  /**
   * The number of a new loop, from 1 on. Each takes tags besides, so these come to an end first.
   */
  int loop() {
    return loops.incrementAndGet();
  }

  /** To whom the tag belongs; null for one below the floor of the serial program. */
  @Nullable Span span(int tag) {
    Object page = pages.get(tag >>> PAGE_BITS);
    return page instanceof @Nullable Span[] spans ? spans[tag & (PAGE_SIZE - 1)] : (Span) page;
  }

  /** The greatest tag that was given out. */
  int last() {
    return next.get() - 1;
  }

  /** Nobody will ask again for tags up to the floor. */
  void forget(int floor) {
    int page = floor >>> PAGE_BITS;
    for (int i = dropped; i < page; i++) {
      pages.set(i, null);
    }
    dropped = Math.max(dropped, page);
  }

  private int take(int count) {
    int first = next.getAndAdd(count);
    if (first < 0 || first + count < 0) {
      next.set(Integer.MIN_VALUE);
      throw new OutOfTags();
    }
    return first;
  }

  private @Nullable Span[] page(int tag) {
    int number = tag >>> PAGE_BITS;
    @Nullable Span[] page = (@Nullable Span[]) pages.get(number);
    if (page == null) {
      Span[] added = new Span[PAGE_SIZE];
      page = (@Nullable Span[]) pages.compareAndExchange(number, null, added);
      return page == null ? added : page;
    }
    return page;
  }

  /** More than two thousand million blocks were executed. */
  public static final class OutOfTags extends RuntimeException {
    OutOfTags() {
      super("more than 2147483647 blocks were executed", null, false, false);
    }
  }
}
