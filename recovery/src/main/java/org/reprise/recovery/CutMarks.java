package org.reprise.recovery;

import java.util.Arrays;
import java.util.BitSet;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;
import org.reprise.causality.EventTable;

/**
 * Marks on consistent cuts: mark i of all ranks is one cut near i times the period, that with the
 * fewest bytes in transit ({@link CheapestCut}). No mark is forced, as no message crosses such a
 * cut backwards, and what crosses it forwards is little.
 *
 * <p>Where a rank stood still around a cut, rule 2 would have all logged that it received in the
 * interval before, since others could be two cuts further. Then a cut a little later is taken, if
 * by then all have heard of it.
 */
final class CutMarks {
  /** A cut may be as far from its time as this part of the period. */
  private static final int WINDOW = 10;

  /** A cut may be later by so many eighths of the period. */
  private static final int LATER_MAX = 4;

  private static final int EIGHTHS = 8;

  private final Timeline timeline;
  private final EventTable events;
  private final Period period;
  private final Marks.Builder marks;

  /** The last cut, and the one before it. */
  private int[] last;

  private int[] before;

  /** By receiver: who sent to it between these two. */
  private BitSet[] senders;

  private CutMarks(Timeline timeline, Period period) {
    this.timeline = timeline;
    this.period = period;
    events = timeline.events();
    marks = new Marks.Builder(timeline);
    last = new int[timeline.ranks()];
    before = last;
    senders = senders();
  }

  static Marks of(Timeline timeline, Period period) {
    return new CutMarks(timeline, period).marks();
  }

  private Marks marks() {
    long length = period.length();
    long end = period.end(timeline);
    int index = 1;
    for (long place = period.start(timeline) + length; place < end; place += length) {
      int[] cut = cheapest(place);
      if (Arrays.equals(cut, last)) {
        continue; // Once more the last one: it would be no step.
      }
      for (int later = 1; later <= LATER_MAX && !isKnown(cut); later++) {
        int[] other = cheapest(place + later * length / EIGHTHS);
        cut = isKnown(other) ? other : cut;
      }
      for (int rank = 0; rank < cut.length; rank++) {
        marks.add(rank, index, cut[rank], VirtualCheckpoint.Cause.CUT);
      }
      before = last;
      last = cut;
      senders = senders();
      index++;
    }
    return marks.build();
  }

  private BitSet[] senders() {
    BitSet[] found = new BitSet[last.length];
    for (int rank = 0; rank < found.length; rank++) {
      BitSet own = new BitSet();
      for (int number = before[rank]; number < last[rank]; number++) {
        timeline.sources(
            events.event(rank, number),
            source -> {
              int from = events.rank(source);
              if (source - events.first(from) >= before[from]) {
                own.set(from);
              }
            });
      }
      own.clear(rank);
      found[rank] = own;
    }
    return found;
  }

  /** Whether rule 2 would let all messages between the last two cuts be, if this one came next. */
  private boolean isKnown(int[] next) {
    BitSet[] after = new BitSet[last.length];
    Arrays.setAll(after, rank -> after(rank, next));
    for (int p = 0; p < after.length; p++) {
      for (int q = senders[p].nextSetBit(0); q >= 0; q = senders[p].nextSetBit(q + 1)) {
        BitSet onlyQ = (BitSet) after[q].clone();
        onlyQ.andNot(after[p]);
        onlyQ.clear(p);
        if (!after[p].get(q) || !onlyQ.isEmpty()) {
          return false;
        }
      }
    }
    return true;
  }

  /** The ranks whose next mark comes after the last mark of this one. */
  private BitSet after(int rank, int[] next) {
    BitSet after = new BitSet();
    for (int other = 0; other < next.length; other++) {
      boolean known =
          rank == other
              || last[rank] < timeline.end(rank)
                  && next[other] > 0
                  && timeline
                      .graph()
                      .precedes(
                          events.event(rank, last[rank]), events.event(other, next[other] - 1));
      after.set(other, known);
    }
    return after;
  }

  private int[] cheapest(long place) {
    long window = period.length() / WINDOW;
    int[] low = consistent(place - window);
    int[] high = consistent(place + window);
    while (size(low, high) > CheapestCut.EVENTS_MAX && window > 0) {
      window /= 2;
      low = consistent(place - window);
      high = consistent(place + window);
    }
    return CheapestCut.between(timeline, low, high);
  }

  /**
   * The last positions that no rank reached later than that, and that are consistent; not before
   * the last cut.
   */
  private int[] consistent(long place) {
    int[] moments = new int[timeline.ranks()];
    Arrays.setAll(moments, rank -> 2 * Math.max(last[rank], period.before(timeline, rank, place)));
    Cut cut = Cuts.between(timeline.graph(), new Cut(moments));
    Arrays.setAll(moments, cut::returned);
    return moments;
  }

  private static long size(int[] low, int[] high) {
    long size = 0;
    for (int rank = 0; rank < low.length; rank++) {
      size += high[rank] - low[rank];
    }
    return size;
  }
}
