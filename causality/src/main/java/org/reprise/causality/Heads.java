package org.reprise.causality;

import java.util.Arrays;

/**
 * For one pattern of wildcard receives of a rank, a communicator with a tag or any tag: the message
 * of each source that such a receive would get next, that is the first one which no receive posted
 * before it took.
 */
final class Heads {
  /** In place of what a sender knew: no message is left. */
  private static final int EXHAUSTED = Integer.MAX_VALUE;

  private final int[] messages;
  private final int[] source;
  private final int[] next;
  private final int[] end;

  /** What the sender of each head knew of the receiving rank. */
  private final int[] known;

  private final LongIntMap slotOf = new LongIntMap();
  private final Pairing pairing;
  private final Clocks clocks;

  /**
   * The heads before a receive. {@code messages} come in the order of their sources, those of one
   * in the order of sending.
   */
  Heads(EventGraph graph, int[] messages, int receive) {
    this.messages = messages;
    pairing = graph.pairing();
    clocks = graph.clocks();
    EventTable events = graph.events();
    IntList sources = new IntList();
    IntList starts = new IntList();
    for (int i = 0; i < messages.length; i++) {
      int from = events.rank(pairing.send(messages[i]));
      if (sources.isEmpty() || sources.get(sources.size() - 1) != from) {
        slotOf.put(from, sources.size());
        sources.add(from);
        starts.add(i);
      }
    }
    source = sources.toArray();
    next = starts.toArray();
    end = Arrays.copyOfRange(starts.toArray(), Math.min(1, next.length), next.length + 1);
    if (end.length > 0) {
      end[end.length - 1] = messages.length;
    }
    known = new int[source.length];
    for (int slot = 0; slot < known.length; slot++) {
      settle(slot, receive);
    }
  }

  private void settle(int slot, int before) {
    while (next[slot] < end[slot] && isTaken(messages[next[slot]], before)) {
      next[slot]++;
    }
    known[slot] = next[slot] < end[slot] ? clocks.known(messages[next[slot]]) : EXHAUSTED;
  }

  private boolean isTaken(int message, int before) {
    return pairing.receive(message) >= 0 && pairing.receive(message) < before;
  }

  /** Those asked about from now on are posted after this receive, which took from this source. */
  void take(int receive, int from) {
    int slot = slotOf.get(from);
    if (slot != LongIntMap.ABSENT) {
      settle(slot, receive + 1);
    }
  }

  int slots() {
    return source.length;
  }

  /** The slot of a source, or -1. */
  int slotOf(int from) {
    return slotOf.get(from);
  }

  int source(int slot) {
    return source[slot];
  }

  /** The next message of a source that is not exhausted. */
  int head(int slot) {
    return messages[next[slot]];
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
