package org.reprise.recovery;

import java.util.Arrays;
import org.reprise.causality.Cut;
import org.reprise.causality.Cuts;

/**
 * Marks on consistent cuts: mark i of all ranks is one cut near i times the period, that with the
 * fewest bytes in transit ({@link CheapestCut}). No mark is forced, as no message crosses such a
 * cut backwards, and what crosses it forwards is little.
 */
final class CutMarks {
  /** A cut may be as far from its time as this part of the period. */
  private static final int WINDOW = 10;

  private CutMarks() {}

  static Marks of(Timeline timeline, Period period) {
    Marks.Builder marks = new Marks.Builder(timeline);
    long window = period.length() / WINDOW;
    long start = period.start(timeline);
    long end = period.end(timeline);
    int index = 1;
    for (long place = start + period.length(); place < end; place += period.length()) {
      int[] low = consistent(timeline, period, place - window);
      int[] high = consistent(timeline, period, place + window);
      for (long less = window; size(low, high) > CheapestCut.EVENTS_MAX && less > 0; ) {
        less /= 2;
        low = consistent(timeline, period, place - less);
        high = consistent(timeline, period, place + less);
      }
      int[] positions = CheapestCut.between(timeline, low, high);
      if (isNew(positions, marks)) {
        add(positions, index++, marks);
      }
    }
    return marks.build();
  }

  /** Whether some rank has gone on: a cut that is the last one once more would be no step. */
  private static boolean isNew(int[] positions, Marks.Builder marks) {
    boolean moved = false;
    for (int rank = 0; rank < positions.length; rank++) {
      moved |= positions[rank] > marks.last(rank).position();
    }
    return moved;
  }

  private static void add(int[] positions, int index, Marks.Builder marks) {
    for (int rank = 0; rank < positions.length; rank++) {
      marks.add(rank, index, positions[rank], VirtualCheckpoint.Cause.CUT);
    }
  }

  /** The last positions that no rank reached later than that, and that are consistent. */
  private static int[] consistent(Timeline timeline, Period period, long place) {
    int[] moments = new int[timeline.ranks()];
    Arrays.setAll(moments, rank -> 2 * period.before(timeline, rank, place));
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
