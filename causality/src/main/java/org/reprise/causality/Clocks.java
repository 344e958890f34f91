package org.reprise.causality;

import java.util.ArrayList;
import java.util.List;
import org.reprise.causality.columns.Column;
import org.reprise.causality.columns.IntList;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;

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
public final class Clocks {
  private final EventTable events;
  private final Pairing pairing;
  private final MatchOrder order;
  private final int[] processed;

  /** By message: how many calls of its destination had begun, as far as its sender knew. */
  private final int[] known;

  /** The same of receives that have predecessors, when they were matched, by their place. */
  private final int[] knownAtMatch;

  /** Events whose rank knew more at their return than at their entry. */
  private final RankedBits learned;

  /** By rank: the bits set before its first event. */
  private final int[] learnedAtFirst;

  /** By rank: the level of its clock after each call that learned something. */
  private final Column[] levels;

  private final int stride;
  private final KeptClocks kept;
  private final List<Clock> last;

  Clocks(ClockPass pass, EventTable events, Pairing pairing, MatchOrder order) {
    this.events = events;
    this.pairing = pairing;
    this.order = order;
    processed = pass.processed();
    known = pass.known();
    stride = pass.stride();
    levels = pass.levels();
    kept = pass.kept();
    last = new ArrayList<>(pass.last());
    learned = pass.learned().build();
    learnedAtFirst = new int[events.ranks()];
    for (int rank = 0; rank < learnedAtFirst.length; rank++) {
      learnedAtFirst[rank] = learned.countBefore(events.first(rank));
    }
    knownAtMatch = atMatch();
  }

  /** Those that were written. */
  Clocks(EventTable events, Pairing pairing, MatchOrder order, NumberReader in) {
    this.events = events;
    this.pairing = pairing;
    this.order = order;
    int ranks = events.ranks();
    processed = in.ints();
    known = in.ints();
    knownAtMatch = in.ints();
    learned = RankedBits.read(in, events.size());
    learnedAtFirst = in.ints();
    levels = new Column[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      levels[rank] = Column.read(in);
    }
    stride = in.integer();
    kept = new KeptClocks(ranks, in);
    last = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      Clock clock = new Clock(ranks);
      clock.level = in.integer();
      System.arraycopy(in.ints(), 0, clock.slots, 0, ranks);
      last.add(clock);
    }
  }

  void write(NumberWriter out) {
    out.ints(processed);
    out.ints(known);
    out.ints(knownAtMatch);
    learned.write(out);
    out.ints(learnedAtFirst);
    for (Column levelsHere : levels) {
      levelsHere.write(out);
    }
    out.number(stride);
    kept.write(out);
    for (Clock clock : last) {
      out.number(clock.level);
      out.ints(clock.slots);
    }
  }

  private int[] atMatch() {
    int[] atMatch = new int[order.size()];
    IntList predecessors = new IntList();
    for (int rank = 0; rank < events.ranks() && atMatch.length > 0; rank++) {
      for (int e = events.first(rank); e < events.first(rank) + processed[rank]; e++) {
        int place = order.place(e);
        if (place >= 0 && Pairing.isReceive(events.kind(e))) {
          int most = atEntry(e);
          order.predecessors(e, predecessors);
          for (int i = 0; i < predecessors.size(); i++) {
            int earlier = predecessors.get(i);
            int theirs = order.place(earlier);
            most = Math.max(most, theirs >= 0 ? atMatch[theirs] : atEntry(earlier));
          }
          atMatch[place] = most;
        }
      }
    }
    return atMatch;
  }

  /** What was known of a receive's rank when both the receive and its message were there. */
  private int atEntry(int receive) {
    int number = receive - events.first(events.rank(receive));
    return Math.max(known[pairing.message(receive)], number + 1);
  }

  /** How many events of a rank are in the graph: all, unless the traces contradict each other. */
  public int processed(int rank) {
    return processed[rank];
  }

  /** How many calls of its destination had begun, as far as a message's sender knew. */
  public int known(int message) {
    return known[message];
  }

  /** How many calls of its rank had begun in the past of a receive's match with its message. */
  public int knownAtMatch(int receive) {
    int place = order.place(receive);
    return place >= 0 ? knownAtMatch[place] : atEntry(receive);
  }

  /** How many calls of a rank before this event learned something. */
  int learnedBefore(int rank, int event) {
    return learned.countBefore(event) - learnedAtFirst[rank];
  }

  /** The last event before this one whose return learned something, or -1. */
  int previousLearned(int event) {
    return learned.previous(event);
  }

  /** The level of a rank's clock when so many of its calls had learned something. */
  int level(int rank, int learnedCalls) {
    return learnedCalls == 0 ? 0 : levels[rank].getInt(learnedCalls - 1);
  }

  boolean hasLearned(int event) {
    return learned.get(event);
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
