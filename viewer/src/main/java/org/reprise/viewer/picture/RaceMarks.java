package org.reprise.viewer.picture;

import java.util.Arrays;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.races.Races;

/**
 * Where the page marks races: a racing receive or probe is marked where its message came in, at the
 * call that completed it. None is ever left out of a picture.
 */
public final class RaceMarks {
  /** The calls that completed racing receives, in their order, and the receives. */
  private final int[] calls;

  private final int[] receives;

  public RaceMarks(Races races) {
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
  public static int callOf(EventGraph graph, int receive) {
    int completion = graph.completion(receive);
    return completion == EventTable.NONE ? receive : completion;
  }

  public int size() {
    return calls.length;
  }

  /** The place of the first race at this call or a later one. */
  public int from(int call) {
    int place = Arrays.binarySearch(calls, call);
    while (place > 0 && calls[place - 1] == call) {
      place--;
    }
    return place < 0 ? -place - 1 : place;
  }

  public int call(int place) {
    return calls[place];
  }

  public int receive(int place) {
    return receives[place];
  }
}
