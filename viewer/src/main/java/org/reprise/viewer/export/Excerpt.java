package org.reprise.viewer.export;

import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.LogicalTime;

/**
 * The beginning of a run that is too large to be shown as a whole: all calls up to a step of
 * logical order, so that whatever had to happen before a call is in it with that call.
 */
public final class Excerpt {
  private Excerpt() {}

  /** How many events of each rank are in it, {@code most} at most together. */
  public static int[] counts(EventGraph graph, int most) {
    LogicalTime time = LogicalTime.of(graph);
    EventTable events = graph.events();
    long low = 0;
    long high = Integer.MAX_VALUE;
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      long sum = 0;
      for (int rank = 0; rank < events.ranks() && sum <= most; rank++) {
        sum += count(events, time, rank, middle);
      }
      if (sum <= most) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    int[] counts = new int[events.ranks()];
    for (int rank = 0; rank < counts.length; rank++) {
      counts[rank] = count(events, time, rank, low);
    }
    return counts;
  }

  /** How many calls of a rank return before a step. */
  private static int count(EventTable events, LogicalTime time, int rank, long step) {
    int low = 0;
    int high = events.size(rank);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (time.returned(events.event(rank, middle)) < step) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
