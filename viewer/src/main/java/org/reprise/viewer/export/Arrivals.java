package org.reprise.viewer.export;

import java.util.Arrays;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;
import org.reprise.viewer.ViewedRun;

/** The messages of a run by the call that told the program of them; a Waitall has several. */
final class Arrivals {
  /** Each the call and below it the message, in the order of the calls. */
  private final long[] sorted;

  Arrivals(ViewedRun run) {
    Pairing pairing = run.graph().pairing();
    long[] found = new long[pairing.messages()];
    int size = 0;
    for (int message = 0; message < found.length; message++) {
      int call = TimedCall.arrival(run, message);
      if (call != EventTable.NONE) {
        found[size++] = (long) call << Integer.SIZE | message;
      }
    }
    sorted = Arrays.copyOf(found, size);
    Arrays.sort(sorted);
  }

  /** The messages that came in at a call. */
  int[] at(int call) {
    int from = place(call);
    int to = place(call + 1);
    return Arrays.stream(sorted, from, to).mapToInt(both -> (int) both).toArray();
  }

  private int place(int call) {
    int place = Arrays.binarySearch(sorted, (long) call << Integer.SIZE);
    return place < 0 ? -place - 1 : place;
  }
}
