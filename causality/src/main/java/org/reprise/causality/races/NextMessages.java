package org.reprise.causality.races;

import java.util.Arrays;
import org.reprise.causality.Clocks;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Pairing;
import org.reprise.causality.columns.IntList;

/**
 * For one pattern of wildcard receives of a rank, a communicator with a tag or any tag: the message
 * of each source that such a receive would get next, that is the first one which no receive posted
 * before it took.
 */
final class NextMessages {
  /** In place of what a sender knew: no message is left. */
  private static final int EXHAUSTED = Integer.MAX_VALUE;

  private static final int[] NO_SENDS = {};

  /**
   * The sends in the order in which {@code next} and {@code end} count; else they count messages.
   */
  private final int[] sends;

  private final int[] source;
  private final int[] next;
  private final int[] end;

  /** What the sender of each head knew of the receiving rank. */
  private final int[] known;

  private final Pairing pairing;
  private final Clocks clocks;

  private NextMessages(
      EventGraph graph, int[] sends, IntList sources, IntList starts, IntList ends, int receive) {
    this.sends = sends;
    pairing = graph.pairing();
    clocks = graph.clocks();
    source = sources.toArray();
    next = starts.toArray();
    end = ends.toArray();
    known = new int[source.length];
    for (int slot = 0; slot < known.length; slot++) {
      settle(slot, receive);
    }
  }

  /** The heads of some lanes before a receive; the lanes come in the order of their sources. */
  static NextMessages ofLanes(EventGraph graph, IntList lanes, int receive) {
    Pairing pairing = graph.pairing();
    IntList sources = new IntList();
    IntList starts = new IntList();
    IntList ends = new IntList();
    for (int i = 0; i < lanes.size(); i++) {
      int start = pairing.laneStart(lanes.get(i));
      int end = pairing.laneStart(lanes.get(i) + 1);
      sources.add(graph.events().rank(pairing.send(start)));
      while (end > start && !graph.contains(pairing.send(end - 1))) {
        end--;
      }
      starts.add(start);
      ends.add(end);
    }
    return new NextMessages(graph, NO_SENDS, sources, starts, ends, receive);
  }

  /** The heads before a receive of any tag; the sends come in the order of their events. */
  static NextMessages ofAnyTag(EventGraph graph, int[] sends, int receive) {
    IntList sources = new IntList();
    IntList starts = new IntList();
    IntList ends = new IntList();
    for (int i = 0; i < sends.length; i++) {
      int from = graph.events().rank(sends[i]);
      if (sources.isEmpty() || sources.get(sources.size() - 1) != from) {
        sources.add(from);
        starts.add(i);
        ends.add(i);
      }
      ends.set(ends.size() - 1, i + 1);
    }
    return new NextMessages(graph, sends, sources, starts, ends, receive);
  }

  private void settle(int slot, int before) {
    while (next[slot] < end[slot] && isTaken(head(slot), before)) {
      next[slot]++;
    }
    known[slot] = next[slot] < end[slot] ? clocks.known(head(slot)) : EXHAUSTED;
  }

  private boolean isTaken(int message, int before) {
    return pairing.receive(message) >= 0 && pairing.receive(message) < before;
  }

  /** Those asked about from now on are posted after this receive, which took from this source. */
  void take(int receive, int from) {
    int slot = slotOf(from);
    if (slot >= 0) {
      settle(slot, receive + 1);
    }
  }

  int slots() {
    return source.length;
  }

  /** The slot of a source; negative if it has none. */
  int slotOf(int from) {
    return Arrays.binarySearch(source, from);
  }

  int source(int slot) {
    return source[slot];
  }

  /** The next message of a source that is not exhausted. */
  int head(int slot) {
    return sends.length == 0 ? next[slot] : pairing.message(sends[next[slot]]);
  }

  /** The first slot from {@code from} on whose sender knew of less than {@code limit} calls. */
  int nextBelow(int limit, int from) {
    for (int slot = from; slot < known.length; slot++) {
      if (known[slot] < limit) {
        return slot;
      }
    }
    return known.length;
  }

  /** How many senders knew of less than {@code limit} calls. */
  int countBelow(int limit) {
    int count = 0;
    for (int value : known) {
      count += value < limit ? 1 : 0;
    }
    return count;
  }
}
