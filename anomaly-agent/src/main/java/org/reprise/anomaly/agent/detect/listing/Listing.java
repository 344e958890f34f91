package org.reprise.anomaly.agent.detect.listing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.hooks.Route;

/**
 * Arrays of indices that nobody writes any more, as an iteration went through them, each from one
 * place to another. What it names never changes, so what is once known of it stays true.
 */
public final class Listing {
  /**
   * Listings of which no two have an index in common, among those below a length: an array has no
   * others.
   */
  public record Apart(int length) {}

  private final int[] @Nullable [] lists;
  private final int from;
  private final int to;
  private final int stride;

  /** Those that this one is known to be apart from; null for none. */
  private volatile @Nullable Apart apart;

  /** For whoever joins a loop: which question was asked last, and whose iteration it was. */
  private @Nullable Object question;

  private int tag;

  /** Keeps the first lists, not the array that holds them. */
  public Listing(int[] @Nullable [] lists, int count, int from, int to, int stride) {
    this(Arrays.copyOf(lists, count), from, to, stride);
  }

  private Listing(int[] @Nullable [] lists, int from, int to, int stride) {
    this.lists = lists;
    this.from = from;
    this.to = to;
    this.stride = stride;
  }

  /** All rows of a route, which has them already. */
  public static Listing of(Route route, int from, int to, int stride) {
    return new Listing(route.rows(), from, to, stride);
  }

  public static long size(int count, int from, int to, int stride) {
    return (long) count * ((to - from) / stride);
  }

  public int[] @Nullable [] lists() {
    return lists;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  public int stride() {
    return stride;
  }

  /** Whether these are the very same lists, and the same places. Hot path: once per block. */
  public boolean isOf(int[] @Nullable [] others, int count, int from, int to, int stride) {
    if (count != lists.length || from != this.from || to != this.to || stride != this.stride) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (others[i] != lists[i]) {
        return false;
      }
    }
    return true;
  }

  /** Those that this one is known to be apart from, as far as an array of a length goes. */
  public @Nullable Apart apart(int length) {
    Apart known = apart;
    return known != null && length <= known.length() ? known : null;
  }

  public void isApart(Apart newApart) {
    apart = newApart;
  }

  /** Whether nobody answered this question yet; else it must be the same iteration that did. */
  public boolean isNewTo(Object newQuestion, int newTag) {
    boolean isNew = question != newQuestion;
    if (isNew) {
      question = newQuestion;
      tag = newTag;
    }
    return isNew;
  }

  public boolean isOf(int iteration) {
    return tag == iteration;
  }
}
