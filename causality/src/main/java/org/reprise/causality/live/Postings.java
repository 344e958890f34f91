package org.reprise.causality.live;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The receives of one rank on one communicator that may still matter to later ones: those that are
 * open, and those of which it is not settled yet what they took. They are kept by what they ask
 * for.
 */
final class Postings {
  /** How many patterns accept a message: its source or any, its tag or any. */
  private static final int PATTERNS = 4;

  private final Map<Long, Pattern> patterns = new HashMap<>();

  /** All that are not settled, by posting. */
  private final ArrayDeque<Receive> settling = new ArrayDeque<>();

  /** Receives that ask for one source and tag. */
  private static final class Pattern {
    private final int source;
    private final int tag;
    private final ArrayDeque<Receive> unsettled = new ArrayDeque<>(2);
    private final ArrayDeque<Receive> open = new ArrayDeque<>(2);
    private @Nullable Receive last;

    Pattern(int source, int tag) {
      this.source = source;
      this.tag = tag;
    }

    @Nullable Receive firstUnsettled() {
      while (!unsettled.isEmpty() && unsettled.getFirst().settled) {
        unsettled.removeFirst();
      }
      return unsettled.peekFirst();
    }

    void forgetClosed() {
      while (!open.isEmpty() && open.getFirst().isClosed()) {
        open.removeFirst();
      }
    }

    /** The last one, if it is open; one that was cancelled leaves its place to the one before. */
    @Nullable Receive lastOpen() {
      while (last != null && last.cancelled) {
        last = last.previous;
      }
      return last == null || last.isClosed() ? null : last;
    }

    boolean isIdle() {
      forgetClosed();
      return firstUnsettled() == null && open.isEmpty() && lastOpen() == null;
    }
  }

  private static long key(int source, int tag) {
    return (long) (source + 1) << 32 | (tag + 1) & 0xffff_ffffL;
  }

  /** Takes a new receive or probe: it learns which others are open. */
  void post(Receive receive) {
    if (!patterns.isEmpty()) {
      receive.open = openFor(receive);
      receive.allOpen = receive.tag == Receive.ANY ? allOpenFor(receive) : List.of();
    }
    settling.addLast(receive);
    Pattern pattern =
        patterns.computeIfAbsent(
            key(receive.source, receive.tag), _ -> new Pattern(receive.source, receive.tag));
    pattern.unsettled.addLast(receive);
    if (receive.isPosted()) {
      receive.previous = pattern.lastOpen();
      pattern.last = receive;
      pattern.open.addLast(receive);
    }
  }

  private List<Receive> openFor(Receive receive) {
    List<Receive> open = new ArrayList<>(2);
    if (receive.isWild() || receive.tag == Receive.ANY) {
      for (Pattern pattern : patterns.values()) {
        if (overlaps(receive, pattern)) {
          add(pattern.lastOpen(), open);
        }
      }
    } else {
      for (int i = 0; i < PATTERNS; i++) {
        Pattern pattern = pattern(i, receive.source, receive.tag);
        add(pattern == null ? null : pattern.lastOpen(), open);
      }
    }
    return open.isEmpty() ? List.of() : open;
  }

  private List<Receive> allOpenFor(Receive receive) {
    List<Receive> open = new ArrayList<>(2);
    for (Pattern pattern : patterns.values()) {
      if (overlaps(receive, pattern)) {
        pattern.forgetClosed();
        pattern.open.stream().filter(each -> !each.isClosed()).forEach(open::add);
      }
    }
    return open.isEmpty() ? List.of() : open;
  }

  private static boolean overlaps(Receive receive, Pattern pattern) {
    return (receive.source == Receive.ANY
            || pattern.source == Receive.ANY
            || receive.source == pattern.source)
        && (receive.tag == Receive.ANY || pattern.tag == Receive.ANY || receive.tag == pattern.tag);
  }

  private static void add(@Nullable Receive receive, List<Receive> open) {
    if (receive != null) {
      open.add(receive);
    }
  }

  /** The i-th pattern that accepts a message. */
  private @Nullable Pattern pattern(int i, int source, int tag) {
    return patterns.get(key((i & 1) == 0 ? source : Receive.ANY, (i & 2) == 0 ? tag : Receive.ANY));
  }

  /**
   * A receive or probe posted before this one that may have got what this one took, or an earlier
   * message if this one takes any tag, and is not settled; null if there is none. A probe counts:
   * what it saw has to be there until it is settled.
   */
  @Nullable Receive blocker(Receive receive) {
    if (receive.tag == Receive.ANY) {
      for (Pattern pattern : patterns.values()) {
        if (pattern.source == Receive.ANY || pattern.source == receive.tookSource) {
          Receive first = pattern.firstUnsettled();
          if (first != null && first.number < receive.number) {
            return first;
          }
        }
      }
      return null;
    }
    for (int i = 0; i < PATTERNS; i++) {
      Pattern pattern = pattern(i, receive.tookSource, receive.tookTag);
      Receive first = pattern == null ? null : pattern.firstUnsettled();
      if (first != null && first.number < receive.number) {
        return first;
      }
    }
    return null;
  }

  /** A receive has ended and is settled: its pattern is forgotten when nobody needs it any more. */
  void settled(Receive receive) {
    long key = key(receive.source, receive.tag);
    Pattern pattern = patterns.get(key);
    if (pattern != null && pattern.isIdle()) {
      patterns.remove(key);
    }
  }

  /** The number of the first receive that is not settled. */
  int firstUnsettled() {
    while (!settling.isEmpty() && settling.getFirst().settled) {
      settling.removeFirst();
    }
    return settling.isEmpty() ? Receive.NEVER : settling.getFirst().number;
  }

  /** All receives that are not settled, by posting. */
  List<Receive> unsettled() {
    return settling.stream().filter(receive -> !receive.settled).toList();
  }
}
