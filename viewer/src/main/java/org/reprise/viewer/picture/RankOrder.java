package org.reprise.viewer.picture;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * In which order ranks stand in the picture, and which of them share a lane where each cannot have
 * its own. Ranks of different groups do not share one, unless there are too many groups.
 */
public final class RankOrder {
  /** With more groups than this, lanes would be too many; the page has the same limit. */
  private static final int GROUPS_MAX = 256;

  private final int[] ranks;
  private final int[] places;

  /** The first place of the group that a place belongs to. */
  private final int[] groups;

  private RankOrder(int[] ranks, int[] groups) {
    this.ranks = ranks;
    this.groups = groups;
    places = new int[ranks.length];
    for (int place = 0; place < ranks.length; place++) {
      places[ranks[place]] = place;
    }
  }

  /** Ranks by number. */
  public static RankOrder byNumber(int ranks) {
    int[] order = new int[ranks];
    Arrays.setAll(order, rank -> rank);
    return new RankOrder(order, new int[ranks]);
  }

  /** Ranks group by group. */
  public static RankOrder of(Collection<List<Integer>> groups) {
    int[] order = groups.stream().flatMap(List::stream).mapToInt(Integer::intValue).toArray();
    int[] first = new int[order.length];
    int place = 0;
    for (List<Integer> group : groups) {
      if (groups.size() <= GROUPS_MAX) {
        Arrays.fill(first, place, place + group.size(), place);
      }
      place += group.size();
    }
    return new RankOrder(order, first);
  }

  public int rank(int place) {
    return ranks[place];
  }

  public int place(int rank) {
    return places[rank];
  }

  /** The first place of the lane that a place is in, where lanes have so many ranks at most. */
  int laneOf(int place, int per) {
    return place - (place - groups[place]) % per;
  }

  /** The first places of the lanes in a window, and the end of the last one. */
  int[] lanes(Window window) {
    int end = Math.min(ranks.length, window.first() + window.ranks());
    int[] first = new int[Math.max(0, end - window.first()) + 1];
    int lanes = 0;
    for (int place = window.first(); place < end; place++) {
      if (place == window.first() || laneOf(place, window.per()) == place) {
        first[lanes++] = place;
      }
    }
    first[lanes] = end;
    return Arrays.copyOf(first, lanes + 1);
  }
}
