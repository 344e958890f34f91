package org.reprise.causality;

import java.util.HashMap;
import java.util.Map;
import org.reprise.causality.columns.Column;
import org.reprise.causality.columns.IntList;
import org.reprise.causality.columns.LongIntMap;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * The order among the match nodes of one rank: which receives must have got their messages before a
 * receive, or probe, can have got its own. Two rules of MPI make it:
 *
 * <ul>
 *   <li>posting order: a receive that was posted before and accepts the message goes first;
 *   <li>no overtaking: an earlier message of the same source that is accepted goes first. Among
 *       messages of one tag the first rule says this already: whoever took the earlier one was
 *       posted before and accepts the later one too. So only receives of any tag need it.
 * </ul>
 *
 * Kept are only receives that were still open when the later one was posted; what had completed
 * before is in the past anyway. Of receives that ask for the same, only the last one is kept: they
 * match in the order of posting. So a receive has a handful of predecessors, however many are open.
 */
public final class MatchOrder {
  /** What receives are taken to ask for. */
  public enum Patterns {
    /** What the program wrote. */
    AS_POSTED,
    /** As in a replay that forces every wildcard receive to the source it took. */
    FORCED
  }

  private final EventTable events;
  private final Pairing pairing;
  private final Patterns patterns;

  /** Receives and probes that have predecessors. */
  private final RankedBits ordered;

  /** By place in that set: where its predecessors begin. */
  private final Column start;

  /** How far each predecessor is before the one that comes after it. */
  private final Column predecessors;

  /** That of the receives as posted, which was written. */
  MatchOrder(EventTable events, Pairing pairing, NumberReader in) {
    this.events = events;
    this.pairing = pairing;
    patterns = Patterns.AS_POSTED;
    ordered = RankedBits.read(in, events.size());
    start = Column.read(in);
    predecessors = Column.read(in);
  }

  void write(NumberWriter out) {
    ordered.write(out);
    start.write(out);
    predecessors.write(out);
  }

  MatchOrder(EventTable events, Pairing pairing, Patterns patterns) {
    this.events = events;
    this.pairing = pairing;
    this.patterns = patterns;
    start = new Column();
    predecessors = new Column();
    RankedBits.Builder found = new RankedBits.Builder(events.size());
    for (int rank = 0; rank < events.ranks(); rank++) {
      scan(rank, found);
    }
    start.add(predecessors.size());
    ordered = found.build();
  }

  private void scan(int rank, RankedBits.Builder found) {
    IntList some = new IntList();
    PostedReceives last = new PostedReceives(events);
    Map<Long, IntList> open = new HashMap<>();
    for (int e = events.first(rank); e < events.first(rank + 1); e++) {
      EventKind kind = events.kind(e);
      int message = Pairing.isReceive(kind) || kind == EventKind.PROBE ? pairing.message(e) : -1;
      if (message < 0) {
        continue;
      }
      if (!last.isEmpty()) {
        some.clear();
        predecessors(e, message, last, open, some);
        if (!some.isEmpty()) {
          found.set(e);
          start.add(predecessors.size());
          for (int i = 0; i < some.size(); i++) {
            predecessors.add(e - some.get(i));
          }
        }
      }
      if (kind == EventKind.POST_RECV) {
        last.put(e, source(e), tag(e));
        openOf(open, pairing.send(message)).add(e);
      }
    }
  }

  private void predecessors(
      int e, int message, PostedReceives last, Map<Long, IntList> open, IntList all) {
    int sent = pairing.send(message);
    for (int i = 0; i < PostedReceives.PATTERNS; i++) {
      add(last.get(i, events.comm(sent), events.rank(sent), events.tag(sent)), e, all);
    }
    if (events.is(e, EventFlag.ANY_TAG)) {
      // Whoever takes a later message of this source by any tag comes after this one, and so after
      // those that this one comes after: they need not be looked at again.
      IntList ofSource = openOf(open, sent);
      int kept = 0;
      for (int i = 0; i < ofSource.size(); i++) {
        int earlier = ofSource.get(i);
        if (pairing.send(pairing.message(earlier)) < sent) {
          add(earlier, e, all);
        }
        boolean covered =
            events.kind(e) == EventKind.POST_RECV && pairing.send(pairing.message(earlier)) < sent;
        if (!covered && completion(events, earlier) > e) {
          ofSource.set(kept++, earlier);
        }
      }
      ofSource.truncate(kept);
    }
  }

  /** Receives that took messages of one source and may be open. */
  private IntList openOf(Map<Long, IntList> open, int sent) {
    long key = (long) events.comm(sent) << 32 | events.rank(sent);
    return open.computeIfAbsent(key, _ -> new IntList());
  }

  private void add(int earlier, int e, IntList all) {
    if (earlier < 0 || earlier >= e || completion(events, earlier) <= e) {
      return;
    }
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i) == earlier) {
        return;
      }
    }
    all.add(earlier);
  }

  /** What a receive asks for: its source, or -1. */
  private int source(int receive) {
    return events.is(receive, EventFlag.ANY_SOURCE) && patterns == Patterns.AS_POSTED
        ? EventTable.NONE
        : events.rank(pairing.send(pairing.message(receive)));
  }

  private int tag(int receive) {
    return events.is(receive, EventFlag.ANY_TAG) ? EventTable.NONE : events.tag(receive);
  }

  /**
   * The call that told the program of a receive's end; a number beyond all events if none did. A
   * blocking receive is its own.
   */
  public static int completion(EventTable events, int receive) {
    if (events.kind(receive) != EventKind.POST_RECV) {
      return receive;
    }
    int end = events.link(receive);
    return end != EventTable.NONE && events.kind(end) == EventKind.COMPLETE
        ? end
        : Integer.MAX_VALUE;
  }

  /** Whether no receive waits for another: all were blocking, or asked for different things. */
  public boolean isEmpty() {
    return ordered.count() == 0;
  }

  boolean isEqualTo(MatchOrder other) {
    return ordered.isEqualTo(other.ordered)
        && start.isEqualTo(other.start)
        && predecessors.isEqualTo(other.predecessors);
  }

  /** How many receives and probes have predecessors. */
  int size() {
    return ordered.count();
  }

  /** The place of a receive or probe among those that have predecessors; -1 if it has none. */
  int place(int receive) {
    return ordered.get(receive) ? ordered.countBefore(receive) : EventTable.NONE;
  }

  /** What must have got its message before a receive or probe can have got its own. */
  public void predecessors(int receive, IntList into) {
    into.clear();
    int place = place(receive);
    if (place >= 0) {
      int end = start.getInt(place + 1);
      for (int at = start.getInt(place); at < end; at++) {
        into.add(receive - predecessors.getInt(at));
      }
    }
  }

  /** Which receives a walk may leave out, with all that comes before them. */
  public interface Known {
    boolean contains(int receive);
  }

  /** A receive and all whose match nodes come before its own, but for those known already. */
  public void closure(int receive, Known known, IntList into) {
    into.clear();
    into.add(receive);
    if (!ordered.get(receive)) {
      return;
    }
    LongIntMap seen = new LongIntMap();
    IntList some = new IntList();
    for (int i = 0; i < into.size(); i++) {
      predecessors(into.get(i), some);
      for (int at = 0; at < some.size(); at++) {
        int earlier = some.get(at);
        if (!known.contains(earlier) && seen.putIfAbsent(earlier, i) == i) {
          seen.put(earlier, Integer.MAX_VALUE);
          into.add(earlier);
        }
      }
    }
  }
}
