package org.reprise.causality.races;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.reprise.causality.Clocks;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.MatchOrder;
import org.reprise.causality.Pairing;
import org.reprise.causality.PostedReceives;
import org.reprise.causality.columns.IntList;
import org.reprise.trace.events.EventFlag;
import org.reprise.trace.events.EventKind;

/**
 * How many receives the papers' ways of tracing would have recorded of a run. Both look at each
 * message when its receive returns, and only at messages that are received:
 *
 * <ul>
 *   <li>Netzer and Miller (1992), Fig. 3, trace the later of two racing messages: the one at hand,
 *       unless the last receive that accepts it happened before it was sent. As printed this also
 *       traces messages of one sender, which cannot overtake each other in MPI; the second variant
 *       knows that.
 *   <li>Clémençon, Fritscher, Meehan and Rühl (1995), 4.1, trace the earlier one, from a buffer of
 *       past receives per tag. As printed, they compare the sends, and so miss a message that
 *       caused the other and still races with it; corrected, the receive is compared with the send.
 * </ul>
 */
final class PaperTraces {
  /** Comparisons that a count may cost; a run that needs more gets none. */
  private static final long STEPS_MAX = 50_000_000;

  private final EventGraph graph;
  private final EventTable events;
  private final Pairing pairing;
  private final Clocks clocks;

  PaperTraces(EventGraph graph) {
    this.graph = graph;
    events = graph.events();
    pairing = graph.pairing();
    clocks = graph.clocks();
  }

  /** Receives of a rank that got a message and returned, in the order of their returns. */
  private int[] received(int rank) {
    IntList receives = new IntList();
    int end = events.first(rank) + clocks.processed(rank);
    for (int e = events.first(rank); e < end; e++) {
      int receive = e;
      if (events.kind(e) == EventKind.COMPLETE) {
        receive = events.link(e);
        if (events.kind(receive) != EventKind.POST_RECV) {
          continue;
        }
      } else if (events.kind(e) == EventKind.POST_RECV || !Pairing.isReceive(events.kind(e))) {
        continue;
      }
      if (pairing.message(receive) >= 0) {
        receives.add(receive);
      }
    }
    return receives.toArray();
  }

  /** Whether a receive had returned before a message was sent. */
  private boolean returnedBefore(int receive, int message) {
    int completion = MatchOrder.completion(events, receive);
    int rank = events.rank(receive);
    return clocks.known(message) >= completion - events.first(rank) + 2;
  }

  /** Netzer and Miller as printed. */
  long laterMessage() {
    long traced = 0;
    for (int rank = 0; rank < events.ranks(); rank++) {
      int[] receives = received(rank);
      PostedReceives last = new PostedReceives(events);
      int[] place = new int[events.size(rank)];
      int first = events.first(rank);
      for (int i = 0; i < receives.length; i++) {
        int receive = receives[i];
        int message = pairing.message(receive);
        int sent = pairing.send(message);
        int previous = EventTable.NONE;
        int at = EventTable.NONE;
        for (int p = 0; p < PostedReceives.PATTERNS; p++) {
          int one = last.get(p, events.comm(sent), events.rank(sent), events.tag(sent));
          if (one >= 0 && place[one - first] > at) {
            at = place[one - first];
            previous = one;
          }
        }
        if (previous >= 0 && !returnedBefore(previous, message)) {
          traced++;
        }
        last.put(receive, sourceAsked(receive), tagAsked(receive));
        place[receive - first] = i;
      }
    }
    return traced;
  }

  private int sourceAsked(int receive) {
    return events.is(receive, EventFlag.ANY_SOURCE)
        ? EventTable.NONE
        : events.rank(pairing.send(pairing.message(receive)));
  }

  private int tagAsked(int receive) {
    return events.is(receive, EventFlag.ANY_TAG) ? EventTable.NONE : events.tag(receive);
  }

  /** The same for channels on which messages do not overtake each other. */
  OptionalLong laterMessageWithoutOvertaking() {
    long traced = 0;
    long steps = 0;
    for (int rank = 0; rank < events.ranks(); rank++) {
      int[] receives = received(rank);
      int[] placeOf = new int[events.size(rank)];
      Arrays.fill(placeOf, EventTable.NONE);
      for (int i = 0; i < receives.length; i++) {
        placeOf[receives[i] - events.first(rank)] = i;
      }
      for (int i = 0; i < receives.length; i++) {
        int message = pairing.message(receives[i]);
        int sent = pairing.send(message);
        for (int j = i - 1; j >= 0; j--) {
          if (++steps > STEPS_MAX) {
            return OptionalLong.empty();
          }
          int earlier = receives[j];
          int theirs = pairing.send(pairing.message(earlier));
          if (!pairing.accepts(earlier, sent) || events.rank(theirs) == events.rank(sent)) {
            continue;
          }
          if (returnedBefore(earlier, message)) {
            break;
          }
          if (!heldBack(earlier, j, message, placeOf)) {
            traced++;
            break;
          }
        }
      }
    }
    return OptionalLong.of(traced);
  }

  /** Whether a message before this one on its channel is accepted and was received later. */
  private boolean heldBack(int earlier, int place, int message, int[] placeOf) {
    int sent = pairing.send(message);
    if (!events.is(earlier, EventFlag.ANY_TAG)) {
      // One lane: of its messages the one just before was received last.
      return message > 0
          && sameLane(pairing.send(message - 1), sent)
          && pairing.receive(message - 1) >= 0
          && placeOf[events.number(pairing.receive(message - 1))] > place;
    }
    int rank = events.rank(earlier);
    for (int lane = pairing.firstLane(rank); lane < pairing.firstLane(rank + 1); lane++) {
      int from = pairing.laneStart(lane);
      int to = pairing.laneStart(lane + 1);
      int first = pairing.send(from);
      if (events.rank(first) != events.rank(sent) || events.comm(first) != events.comm(sent)) {
        continue;
      }
      // The last one of the lane that was sent before: of its lane it was received last.
      int low = from;
      int high = to;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (pairing.send(middle) < sent) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      if (low > from
          && pairing.receive(low - 1) >= 0
          && placeOf[events.number(pairing.receive(low - 1))] > place) {
        return true;
      }
    }
    return false;
  }

  private boolean sameLane(int one, int other) {
    return events.peer(one) == events.peer(other)
        && events.tag(one) == events.tag(other)
        && events.comm(one) == events.comm(other)
        && events.rank(one) == events.rank(other);
  }

  private static final class Entry {
    private final int receive;
    private final int source;
    private final BitSet seen = new BitSet();

    Entry(int receive, int source) {
      this.receive = receive;
      this.source = source;
    }
  }

  /** Clémençon and others, as printed or corrected. */
  OptionalLong earlierMessage(boolean asPrinted) {
    long traced = 0;
    long steps = 0;
    for (int rank = 0; rank < events.ranks(); rank++) {
      Map<Long, List<Entry>> buffers = new HashMap<>();
      for (int receive : received(rank)) {
        int message = pairing.message(receive);
        int sent = pairing.send(message);
        int source = events.rank(sent);
        long key = (long) events.comm(sent) << 32 | events.tag(sent);
        List<Entry> buffer = buffers.computeIfAbsent(key, _ -> new ArrayList<>());
        steps += buffer.size();
        if (steps > STEPS_MAX) {
          return OptionalLong.empty();
        }
        for (Iterator<Entry> all = buffer.iterator(); all.hasNext(); ) {
          Entry entry = all.next();
          if (entry.source != source) {
            if (ordered(entry, message, asPrinted)) {
              entry.seen.set(source);
              if (entry.seen.cardinality() >= events.ranks() - 2) {
                all.remove();
              }
            } else {
              traced++;
              all.remove();
            }
          }
        }
        if (events.is(receive, EventFlag.ANY_SOURCE)) {
          buffer.add(new Entry(receive, source));
        }
      }
    }
    return OptionalLong.of(traced);
  }

  private boolean ordered(Entry entry, int message, boolean asPrinted) {
    if (!asPrinted) {
      return returnedBefore(entry.receive, message);
    }
    int theirs = pairing.send(pairing.message(entry.receive));
    int source = entry.source;
    return graph.knows(pairing.send(message), false, source, theirs - events.first(source) + 1);
  }
}
