package org.reprise.viewer;

import java.util.Arrays;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Races;

/**
 * Where the page marks races: a racing receive or probe is marked where its message came in, at the
 * call that completed it. None is ever left out of a picture.
 */
final class RaceMarks {
  /** The calls that completed racing receives, in their order, and the receives. */
  private final int[] calls;

  private final int[] receives;

  RaceMarks(Races races) {
    EventGraph graph = races.graph();
    long[] sorted =
        races
            .receives()
            .mapToLong(receive -> (long) callOf(graph, receive) << 32 | receive)
            .sorted()
            .toArray();
    calls = Arrays.stream(sorted).mapToInt(both -> (int) (both >>> 32)).toArray();
    receives = Arrays.stream(sorted).mapToInt(both -> (int) both).toArray();
  }

  /** The call at which a receive got its message, or the receive. */
  static int callOf(EventGraph graph, int receive) {
    int completion = graph.completion(receive);
    return completion == EventTable.NONE ? receive : completion;
  }

  int size() {
    return calls.length;
  }

  /** The place of the first race at this call or a later one. */
  int from(int call) {
    int place = Arrays.binarySearch(calls, call);
    while (place > 0 && calls[place - 1] == call) {
      place--;
    }
    return place < 0 ? -place - 1 : place;
  }

  int call(int place) {
    return calls[place];
  }

  int receive(int place) {
    return receives[place];
  }
}
