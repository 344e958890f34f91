package org.reprise.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.reprise.causality.CriticalPath;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;

/**
 * The critical path of a run and where the time on it went: into calls, by their place in the
 * source, and into what a rank did between its calls.
 *
 * @param links the path
 * @param ranks how many ranks it leads over
 * @param hosts on how many the run's ranks were; their clocks are compared as they are
 * @param nanos from its beginning to its end
 * @param shares where the time went, most first
 */
public record CriticalTimes(
    List<CriticalPath.Link> links,
    int ranks,
    int hosts,
    long nanos,
    List<CriticalTimes.Share> shares) {

  /**
   * A part of the time.
   *
   * @param event a call of the place; or the rank's first one on the path, for what it did between
   * @param inCalls whether it was spent in calls
   * @param calls how many calls, or how often between two
   */
  public record Share(int event, boolean inCalls, long calls, long nanos) {
    Share and(Share other) {
      return new Share(event, inCalls, calls + other.calls, nanos + other.nanos);
    }
  }

  /** What is counted together. */
  private record Place(boolean inCalls, int rankOrSite, int call) {}

  /**
   * Works them out.
   *
   * @param originNanos when each rank's events began, by the clock of its host
   */
  public static CriticalTimes of(EventGraph graph, RunEvents known, long[] originNanos, int hosts) {
    EventTable events = graph.events();
    List<CriticalPath.Link> links = CriticalPath.of(graph, originNanos);
    Map<Place, Share> shares = new HashMap<>();
    Set<Integer> ranks = new HashSet<>();
    // Times since the beginning of the path; each moment of it is counted once.
    long at = 0;
    long begin = 0;
    for (int i = 0; i < links.size(); i++) {
      int event = links.get(i).event();
      int rank = events.rank(event);
      ranks.add(rank);
      long start = originNanos[rank] + events.startNanos(event);
      long end = originNanos[rank] + events.endNanos(event);
      if (i == 0) {
        begin = start;
        at = start;
      }
      if (start > at) {
        add(shares, new Place(false, rank, 0), new Share(event, false, 1, start - at));
        at = start;
      }
      if (!links.get(i).handedOver()) {
        Place place = new Place(true, known.of(rank, events.site(event)), events.call(event));
        add(shares, place, new Share(event, true, 1, Math.max(0, end - at)));
        at = Math.max(at, end);
      }
    }
    List<Share> sorted = new ArrayList<>(shares.values());
    sorted.sort(Comparator.comparingLong(Share::nanos).reversed().thenComparingInt(Share::event));
    return new CriticalTimes(links, ranks.size(), hosts, at - begin, List.copyOf(sorted));
  }

  private static void add(Map<Place, Share> shares, Place place, Share share) {
    shares.merge(place, share, Share::and);
  }

  /** How many different calls the path has. */
  public long calls() {
    return links.stream().mapToInt(CriticalPath.Link::event).distinct().count();
  }
}
