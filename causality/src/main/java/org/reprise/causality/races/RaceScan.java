package org.reprise.causality.races;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.reprise.causality.Clocks;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.MatchOrder;
import org.reprise.causality.Pairing;
import org.reprise.causality.PostedReceives;
import org.reprise.causality.Progress;
import org.reprise.causality.columns.IntList;
import org.reprise.causality.columns.LongIntMap;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * Finds, for every wildcard receive and probe, the messages that it could have got instead of its
 * own while everything that did not depend on it went as it went.
 *
 * <p>Receive r races with message m' if it accepts m', no receive posted before r took m', and the
 * match of r does not come before any of these: m' was sent; the receives posted before r that
 * accept m' were matched; the earlier messages of m's sender that r accepts were matched. This is
 * the frontier race of Netzer and Miller (1992), repaired for MPI's match order. An earlier message
 * that a receive posted after r took is matched after r, by posting order: so of each source only
 * the first message counts that no earlier receive took, which {@link NextMessages} keeps.
 *
 * <p>With forced patterns the same test gives the receives that a replay must force: then every
 * other wildcard receive accepts only the source it took, and those that never matched nothing.
 */
public final class RaceScan {
  /** What the scan reports: each receive or probe that races, and its alternatives. */
  public interface Sink {
    /** How many alternatives to show one by one. */
    int shown();

    void race(int receive, long alternatives, int[] shown, int shownCount);

    /** What this receive or an earlier one took is uncertain, so nothing can be said. */
    void uncertain(int receive);
  }

  private final EventGraph graph;
  private final EventTable events;
  private final Pairing pairing;
  private final MatchOrder order;
  private final Clocks clocks;
  private final boolean forced;
  private final Progress.Pass pass;
  private final boolean synchronous;
  private final Sink sink;
  private final int[] shown;

  /**
   * State of the rank under the scan. By number of a receive: the first call that reports a later
   * match, which comes after the receive's own; 0 if there is none.
   */
  private int[] seenLater = {};

  private PostedReceives open;

  /** Receives so far whose message is unknown. */
  private PostedReceives doubtful;

  private final IntList openList = new IntList();

  /** Receives of the rank that were cancelled, and by post the call that cancelled each. */
  private final IntList cancelled = new IntList();

  private final LongIntMap cancelOf = new LongIntMap();
  private final Map<Long, NextMessages> heads = new HashMap<>();

  /** By communicator and tag: the first lane to the rank. */
  private final LongIntMap firstLane = new LongIntMap();

  private final IntList completions = new IntList();

  /** Receives that are matched after the one under test, by their distance from it. */
  private final BitSet closure = new BitSet();

  private final IntList predecessors = new IntList();
  private int[] seenFrom = {};
  private boolean uncertain;

  public RaceScan(EventGraph graph, MatchOrder.Patterns patterns, Sink sink) {
    this.graph = graph;
    this.sink = sink;
    events = graph.events();
    pairing = graph.pairing();
    order = graph.order();
    clocks = graph.clocks();
    forced = patterns == MatchOrder.Patterns.FORCED;
    pass = forced ? Progress.Pass.FORCING : Progress.Pass.RACES;
    shown = new int[sink.shown()];
    open = new PostedReceives(events);
    doubtful = new PostedReceives(events);
    synchronous = pairing.anySynchronous();
    for (int e = 0; e < events.size(); e++) {
      if (events.kind(e) == EventKind.CANCEL) {
        cancelOf.put(events.link(e), e);
      }
    }
  }

  public void run() {
    for (int rank = 0; rank < events.ranks(); rank++) {
      scan(rank);
      graph.progress().at(pass, events.first(rank + 1), events.size());
    }
  }

  private void findSeenLater(int rank) {
    int first = events.first(rank);
    int size = order.isEmpty() ? 0 : events.size(rank);
    if (seenLater.length < size) {
      seenLater = new int[size];
    }
    Arrays.fill(seenLater, 0, size, 0);
    for (int e = first + size - 1; e >= first; e--) {
      // Whatever is matched after a receive is posted later: it was here already.
      order.predecessors(e, predecessors);
      for (int i = 0; i < predecessors.size(); i++) {
        int at = predecessors.get(i) - first;
        int seen = events.kind(e) == EventKind.PROBE ? e : firstSeen(e);
        seenLater[at] = seenLater[at] == 0 ? seen : Math.min(seenLater[at], seen);
      }
    }
  }

  /** The first call of its rank that the match of a receive with its message precedes. */
  private int firstSeen(int receive) {
    int completion = MatchOrder.completion(events, receive);
    int later = order.isEmpty() ? 0 : seenLater[receive - events.first(events.rank(receive))];
    return later == 0 ? completion : Math.min(later, completion);
  }

  /** Looks at the receives and probes of one rank. */
  void scan(int rank) {
    heads.clear();
    firstLane.clear();
    int last = events.first(rank) + clocks.processed(rank);
    boolean wild = false;
    for (int e = events.first(rank); e < last && !wild; e++) {
      wild = isWild(e);
    }
    if (!wild) {
      return;
    }
    open = new PostedReceives(events);
    doubtful = new PostedReceives(events);
    openList.clear();
    cancelled.clear();
    findSeenLater(rank);
    if (forced) {
      seenFrom = seenFrom(rank);
    }
    for (int e = events.first(rank); e < last; e++) {
      if ((e & Progress.STEP - 1) == 0) {
        graph.progress().at(pass, e, events.size());
      }
      EventKind kind = events.kind(e);
      boolean takes = Pairing.isReceive(kind);
      if (!takes && kind != EventKind.PROBE) {
        continue;
      }
      int message = pairing.message(e);
      if (isWild(e)) {
        if (message >= 0) {
          check(rank, e, message);
        } else if (pairing.isAmbiguous(e)) {
          sink.uncertain(e);
        }
      }
      if (takes) {
        take(e, message);
      }
    }
  }

  /** By number of the event: the least that receives and probes from it on are seen at. */
  private int[] seenFrom(int rank) {
    int[] from = new int[events.size(rank)];
    int least = Integer.MAX_VALUE;
    for (int i = from.length - 1; i >= 0; i--) {
      int e = events.event(rank, i);
      if (events.kind(e) == EventKind.PROBE) {
        least = e;
      } else if (Pairing.isReceive(events.kind(e)) && pairing.message(e) >= 0) {
        least = Math.min(least, firstSeen(e));
      }
      from[i] = least;
    }
    return from;
  }

  private boolean isWild(int event) {
    EventKind kind = events.kind(event);
    return (Pairing.isReceive(kind) || kind == EventKind.PROBE)
        && events.is(event, EventFlag.ANY_SOURCE);
  }

  private void take(int receive, int message) {
    if (pairing.isAmbiguous(receive)) {
      doubtful.put(receive, pairing.sourceTaken(receive), pairing.tagTaken(receive));
    }
    if (message >= 0) {
      int sent = pairing.send(message);
      NextMessages tagged = heads.get(key(events.comm(sent), events.tag(sent)));
      if (tagged != null) {
        tagged.take(receive, events.rank(sent));
      }
      NextMessages any = heads.get(key(events.comm(sent), EventTable.NONE));
      if (any != null) {
        any.take(receive, events.rank(sent));
      }
    }
    if (events.kind(receive) != EventKind.POST_RECV) {
      return;
    }
    if (pairing.isCancelled(receive)) {
      cancelled.add(receive);
      return;
    }
    boolean wild = events.is(receive, EventFlag.ANY_SOURCE);
    int tag = events.is(receive, EventFlag.ANY_TAG) ? EventTable.NONE : events.tag(receive);
    if (forced && wild) {
      if (message >= 0) {
        open.put(receive, events.rank(pairing.send(message)), tag);
      }
    } else {
      open.put(receive, wild ? EventTable.NONE : events.peer(receive), tag);
    }
    if (message >= 0) {
      openList.add(receive);
    }
  }

  private static long key(int comm, int tag) {
    return (long) comm << 32 | (tag + 1) & 0xffff_ffffL;
  }

  private void check(int rank, int receive, int message) {
    NextMessages candidates = headsFor(rank, receive);
    int own = events.rank(pairing.send(message));
    int seen = seen(receive);
    int limit = seen == Integer.MAX_VALUE ? seen : seen - events.first(rank) + 2;
    uncertain = false;
    boolean simple = open.isEmpty() && !synchronous && doubtful.isEmpty() && cancelled.isEmpty();
    if (!simple && synchronous) {
      synchronousCompletions(receive, message);
    }
    long count = 0;
    int kept = 0;
    for (int slot = candidates.nextBelow(limit, 0);
        slot < candidates.slots();
        slot = candidates.nextBelow(limit, slot + 1)) {
      if (candidates.source(slot) == own) {
        continue;
      }
      int other = candidates.head(slot);
      if (simple || races(receive, other, limit)) {
        count++;
        if (kept < shown.length) {
          shown[kept++] = other;
        }
        if (simple && kept == shown.length) {
          count = countAll(candidates, limit, own);
          break;
        }
      }
    }
    if (count > 0) {
      sink.race(receive, count, shown, kept);
    } else if (uncertain) {
      sink.uncertain(receive);
    }
  }

  private static long countAll(NextMessages candidates, int limit, int own) {
    int slot = candidates.slotOf(own);
    boolean ownCounted = slot >= 0 && candidates.nextBelow(limit, slot) == slot;
    return candidates.countBelow(limit) - (ownCounted ? 1L : 0L);
  }

  /** The first call of its rank that the match of a receive, or the return of a probe, precedes. */
  private int seen(int receive) {
    if (events.kind(receive) == EventKind.PROBE) {
      return receive;
    }
    int seen = firstSeen(receive);
    if (!forced || events.kind(receive) != EventKind.POST_RECV) {
      return seen;
    }
    // The receive under test keeps its wildcard, and so goes before all posted after it that it
    // would have accepted the messages of.
    int end = Math.min(MatchOrder.completion(events, receive), lastOf(receive));
    int first = events.first(events.rank(receive));
    for (int e = receive + 1; e < end && seenFrom[e - first] < seen; e++) {
      if (goesBefore(receive, e)) {
        boolean probe = events.kind(e) == EventKind.PROBE;
        seen = Math.min(seen, probe ? e : firstSeen(e));
      }
    }
    return seen;
  }

  private int lastOf(int event) {
    int rank = events.rank(event);
    return events.first(rank) + clocks.processed(rank);
  }

  private boolean goesBefore(int receive, int later) {
    EventKind kind = events.kind(later);
    return (Pairing.isReceive(kind) || kind == EventKind.PROBE)
        && pairing.message(later) >= 0
        && pairing.accepts(receive, pairing.send(pairing.message(later)));
  }

  /** Completions of synchronous sends that the match of a receive lets happen. */
  private void synchronousCompletions(int receive, int message) {
    completions.clear();
    if (events.kind(receive) == EventKind.PROBE) {
      return;
    }
    closure.clear();
    closure.set(0);
    addCompletion(message);
    int end = Math.min(MatchOrder.completion(events, receive), lastOf(receive));
    for (int e = receive + 1; e < end; e++) {
      EventKind kind = events.kind(e);
      if (Pairing.isReceive(kind) && pairing.message(e) >= 0) {
        boolean after = forced && goesBefore(receive, e);
        order.predecessors(e, predecessors);
        for (int i = 0; !after && i < predecessors.size(); i++) {
          int earlier = predecessors.get(i);
          after = earlier >= receive && closure.get(earlier - receive);
        }
        if (after) {
          closure.set(e - receive);
          addCompletion(pairing.message(e));
        }
      }
    }
  }

  private void addCompletion(int message) {
    int sent = pairing.send(message);
    if (events.is(sent, EventFlag.SYNC)) {
      int completion = events.kind(sent) == EventKind.SEND ? sent : events.link(sent);
      if (completion >= 0) {
        completions.add(completion);
      }
    }
  }

  /** Whether a candidate, which was sent without knowing of the receive, could have been taken. */
  private boolean races(int receive, int candidate, int limit) {
    int sent = pairing.send(candidate);
    if (completedBefore(sent) || goesToCancelled(receive, sent, limit)) {
      return false;
    }
    for (int i = 0; i < PostedReceives.PATTERNS; i++) {
      if (doubtful.get(i, events.comm(sent), events.rank(sent), events.tag(sent)) >= 0) {
        uncertain = true;
        return false;
      }
      int earlier = open.get(i, events.comm(sent), events.rank(sent), events.tag(sent));
      if (earlier >= 0 && MatchOrder.completion(events, earlier) > receive) {
        if (pairing.message(earlier) < 0) {
          uncertain |= pairing.isAmbiguous(earlier) || pairing.isUnknown(earlier);
          return false;
        }
        if (matchedAfter(earlier, limit)) {
          return false;
        }
      }
    }
    return !events.is(receive, EventFlag.ANY_TAG) || earlierAreMatched(receive, sent, limit);
  }

  /**
   * Whether a receive that was cancelled later would have got a message: it was posted before, and
   * its cancel comes after the match of the receive under test. In a replay wildcards that never
   * matched accept nothing.
   */
  private boolean goesToCancelled(int receive, int sent, int limit) {
    int rank = events.rank(receive);
    for (int i = 0; i < cancelled.size(); i++) {
      int earlier = cancelled.get(i);
      boolean any = events.is(earlier, EventFlag.ANY_SOURCE);
      boolean accepts =
          events.comm(earlier) == events.comm(sent)
              && (any ? !forced : events.peer(earlier) == events.rank(sent))
              && (events.is(earlier, EventFlag.ANY_TAG) || events.tag(earlier) == events.tag(sent));
      if (accepts && cancelOf.get(earlier) - events.first(rank) + 2 > limit) {
        return true;
      }
    }
    return false;
  }

  /** Earlier messages of the same source that were taken by open receives with other tags. */
  private boolean earlierAreMatched(int receive, int sent, int limit) {
    int kept = 0;
    boolean matched = true;
    for (int i = 0; i < openList.size(); i++) {
      int earlier = openList.get(i);
      if (MatchOrder.completion(events, earlier) > receive) {
        openList.set(kept++, earlier);
        int other = pairing.send(pairing.message(earlier));
        matched &=
            events.rank(other) != events.rank(sent)
                || events.comm(other) != events.comm(sent)
                || other > sent
                || !matchedAfter(earlier, limit);
      }
    }
    openList.truncate(kept);
    return matched;
  }

  /** Whether the receive under test must be matched before this one can be. */
  private boolean matchedAfter(int earlier, int limit) {
    if (clocks.knownAtMatch(earlier) >= limit) {
      return true;
    }
    if (completions.isEmpty()) {
      return false;
    }
    if (completedBefore(earlier)) {
      return true;
    }
    IntList matched = new IntList();
    order.closure(earlier, _ -> false, matched);
    for (int i = 0; i < matched.size(); i++) {
      if (completedBefore(pairing.send(pairing.message(matched.get(i))))) {
        return true;
      }
    }
    return false;
  }

  /** Whether one of the synchronous completions is over before the entry of a call. */
  private boolean completedBefore(int event) {
    for (int i = 0; i < completions.size(); i++) {
      if (graph.isOverBefore(completions.get(i), event)) {
        return true;
      }
    }
    return false;
  }

  private NextMessages headsFor(int rank, int receive) {
    boolean anyTag = events.is(receive, EventFlag.ANY_TAG);
    int tag = anyTag ? EventTable.NONE : events.tag(receive);
    long key = key(events.comm(receive), tag);
    NextMessages known = heads.get(key);
    if (known == null) {
      known =
          anyTag
              ? NextMessages.ofAnyTag(graph, sendsTo(rank, events.comm(receive)), receive)
              : NextMessages.ofLanes(graph, lanesOf(rank, key), receive);
      heads.put(key, known);
    }
    return known;
  }

  /** The lanes to a rank with a communicator and tag, which lie side by side, by source. */
  private IntList lanesOf(int rank, long key) {
    int end = pairing.firstLane(rank + 1);
    if (firstLane.size() == 0) {
      for (int lane = pairing.firstLane(rank); lane < end; lane++) {
        firstLane.putIfAbsent(keyOf(lane), lane);
      }
    }
    IntList lanes = new IntList();
    int first = firstLane.get(key);
    for (int lane = first; first >= 0 && lane < end && keyOf(lane) == key; lane++) {
      lanes.add(lane);
    }
    return lanes;
  }

  private long keyOf(int lane) {
    int sent = pairing.send(pairing.laneStart(lane));
    return key(events.comm(sent), events.tag(sent));
  }

  /** The sends to a rank on a communicator, in the order of their events. */
  private int[] sendsTo(int rank, int comm) {
    int from = pairing.laneStart(pairing.firstLane(rank));
    int to = pairing.laneStart(pairing.firstLane(rank + 1));
    int count = 0;
    int[] sends = new int[to - from];
    for (int m = from; m < to; m++) {
      int sent = pairing.send(m);
      if (events.comm(sent) == comm && graph.contains(sent)) {
        sends[count++] = sent;
      }
    }
    Arrays.sort(sends, 0, count);
    return Arrays.copyOf(sends, count);
  }
}
