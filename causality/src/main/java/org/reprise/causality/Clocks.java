package org.reprise.causality;

import java.util.ArrayList;
import java.util.List;

/**
 * What every call of a run knew of the other ranks. A call has two moments, its entry and its
 * return; entry leads to return, and return to the next entry of the rank. Messages, posts and
 * contributions to collectives leave at entries; what a call waits for arrives before its return.
 * So for any moment and rank q it is enough to know how many calls of q had begun in its past.
 *
 * <p>A vector for each event would be far too much. Kept are: per message, the two numbers that
 * race detection asks for; and per rank, whole clocks after every so many calls that learned
 * something, as many as the memory allows. A question is answered by the clocks before and after
 * the moment if these agree, which they nearly always do, and else by walking back the few messages
 * received in between ({@link ClockQuery}).
 */
final class Clocks {
  private final EventTable events;
  private final int[] processed;

  /** By message: how many calls of its destination had begun, as far as its sender knew. */
  private final int[] known;

  /** By message: the same, when the message was matched. */
  private final int[] knownAtMatch;

  /**
   * In pairs, so that a question finds both in one line of the cache: a bit per event, whether its
   * rank knew more at its return than at its entry; and how many bits are set before this word.
   */
  private final long[] learned;

  /** By rank: the bits set before its first event. */
  private final int[] learnedAtFirst;

  /** By rank: the level of its clock after each call that learned something. */
  private final int[][] levels;

  private final int stride;
  private final KeptClocks kept;
  private final List<Clock> last;

  Clocks(ClockPass pass, EventTable events, Pairing pairing, MatchOrder order) {
    this.events = events;
    processed = pass.processed();
    known = pass.known();
    stride = pass.stride();
    levels = pass.levels();
    kept = pass.kept();
    last = new ArrayList<>(pass.last());
    learned = inPairs(pass.learned());
    learnedAtFirst = new int[events.ranks()];
    for (int rank = 0; rank < learnedAtFirst.length; rank++) {
      learnedAtFirst[rank] = countTo(events.first(rank));
    }
    knownAtMatch = atMatch(pairing, order);
  }

  private int[] atMatch(Pairing pairing, MatchOrder order) {
    int[] atMatch = new int[known.length];
    for (int rank = 0; rank < events.ranks(); rank++) {
      for (int e = events.first(rank); e < events.first(rank) + processed[rank]; e++) {
        int message = Pairing.isReceive(events.kind(e)) ? pairing.message(e) : Pairing.NONE;
        if (message >= 0) {
          int most = Math.max(known[message], e - events.first(rank) + 1);
          int first = order.first(e);
          for (int at = first; first >= 0 && at < order.end(e); at++) {
            most = Math.max(most, atMatch[pairing.message(order.predecessor(at))]);
          }
          atMatch[message] = most;
        }
      }
    }
    return atMatch;
  }

  /** How many events of a rank are in the graph: all, unless the traces contradict each other. */
  int processed(int rank) {
    return processed[rank];
  }

  /** How many calls of its destination had begun, as far as a message's sender knew. */
  int known(int message) {
    return known[message];
  }

  /** How many calls of the receiving rank had begun in the past of a message's match. */
  int knownAtMatch(int message) {
    return knownAtMatch[message];
  }

  private static long[] inPairs(long[] bits) {
    long[] pairs = new long[2 * bits.length];
    long before = 0;
    for (int i = 0; i < bits.length; i++) {
      pairs[2 * i] = bits[i];
      pairs[2 * i + 1] = before;
      before += Long.bitCount(bits[i]);
    }
    return pairs;
  }

  /** How many calls of a rank before this event learned something. */
  int learnedBefore(int rank, int event) {
    return countTo(event) - learnedAtFirst[rank];
  }

  private int countTo(int event) {
    int pair = event >> 6 << 1;
    return (int) learned[pair + 1] + Long.bitCount(learned[pair] & ((1L << event) - 1));
  }

  /** The last event before this one whose return learned something, or -1. */
  int previousLearned(int event) {
    int word = event >> 6;
    long bits = learned[2 * word] & ((1L << event) - 1);
    while (bits == 0) {
      if (--word < 0) {
        return EventTable.NONE;
      }
      bits = learned[2 * word];
    }
    return (word << 6) + 63 - Long.numberOfLeadingZeros(bits);
  }

  /** The level of a rank's clock when so many of its calls had learned something. */
  int level(int rank, int learnedCalls) {
    return learnedCalls == 0 ? 0 : levels[rank][learnedCalls - 1];
  }

  boolean hasLearned(int event) {
    return (learned[event >> 6 << 1] & 1L << event) != 0;
  }

  /**
   * Ranks keep their clocks at different times. If ranks that go in step kept them at the same
   * time, a walk that begins long after that would find none close by on any rank that it comes to,
   * and soon be everywhere.
   */
  private static int phase(int rank, int stride) {
    return (int) ((rank * 0x9E3779B9L & 0xFFFFFFFFL) * stride >>> 32);
  }

  /** How many calls that learned something lie between the last kept clock and so many. */
  static int sinceKept(int rank, int learnedCalls, int stride) {
    return Math.min(learnedCalls, (learnedCalls + phase(rank, stride)) % stride);
  }

  int sinceKept(int rank, int learnedCalls) {
    return sinceKept(rank, learnedCalls, stride);
  }

  /** How many clocks of a rank were kept when so many of its calls had learned something. */
  int kept(int rank, int learnedCalls) {
    return (learnedCalls + phase(rank, stride)) / stride;
  }

  /** What a rank knew of another at its kept clock with this number, from 1; at first nothing. */
  int atCheckpoint(int rank, int index, int of) {
    return index == 0 ? 0 : kept.get(rank, index - 1, of);
  }

  /** The same at the next kept clock, or at the end: no moment before knows more. */
  int afterCheckpoint(int rank, int index, int of) {
    return index < kept.count(rank) ? kept.get(rank, index, of) : last.get(rank).slots[of];
  }
}
