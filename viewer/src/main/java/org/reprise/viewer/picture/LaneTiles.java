package org.reprise.viewer.picture;

import java.util.Arrays;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;

/**
 * The lanes of a window: call by call where these are few, and else as previews, which say for each
 * bin what share of it the ranks spent in which state (after Jumpshot's preview states), and how
 * many of its receives race.
 */
public final class LaneTiles {
  /** So many calls are given one by one, at most. */
  public static final int CALLS_MAX = 6000;

  private static final int SHARE_MAX = 255;

  private final RunPicture picture;
  private final EventGraph graph;
  private final EventTable events;

  public LaneTiles(RunPicture picture) {
    this.picture = picture;
    graph = picture.run().graph();
    events = graph.events();
  }

  public byte[] answer(Window window, RankOrder order, boolean preview) {
    LaneIndex lanes = picture.lanes(window.axis());
    int[] places = order.lanes(window);
    long calls = 0;
    for (int place = window.first(); place < places[places.length - 1]; place++) {
      int rank = order.rank(place);
      calls += lanes.begun(rank, window.to()) - lanes.firstOpen(rank, window.from());
    }
    return !preview && window.per() == 1 && calls <= CALLS_MAX
        ? calls(window, lanes, order, places[places.length - 1])
        : previews(window, lanes, order, places);
  }

  private byte[] calls(Window window, LaneIndex lanes, RankOrder order, int endPlace) {
    CallColumns calls = new CallColumns(picture, lanes.axis());
    for (int place = window.first(); place < endPlace; place++) {
      int rank = order.rank(place);
      int end = lanes.begun(rank, window.to());
      for (int number = lanes.firstOpen(rank, window.from()); number < end; number++) {
        calls.add(rank, events.event(rank, number));
      }
    }
    return calls.into(new Columns().field("complete", true)).encode();
  }

  private byte[] previews(Window window, LaneIndex lanes, RankOrder order, int[] places) {
    int laneCount = places.length - 1;
    int bins = window.bins(laneCount);
    long width = (window.to() - window.from()) / bins;
    byte[] shares = new byte[laneCount * bins * State.COUNT];
    Ints first = new Ints();
    Ints ranks = new Ints();
    Ints raceLane = new Ints();
    Ints raceBin = new Ints();
    Ints raceCount = new Ints();
    Ints raceEvent = new Ints();
    long[] spent = new long[bins * State.COUNT];
    long[] here = new long[State.COUNT];
    long[] before = new long[State.COUNT];
    for (int lane = 0; lane < laneCount; lane++) {
      first.add(places[lane]);
      ranks.add(places[lane + 1] - places[lane]);
      Arrays.fill(spent, 0);
      int[] races = new int[bins];
      int[] race = new int[bins];
      for (int place = places[lane]; place < places[lane + 1]; place++) {
        int rank = order.rank(place);
        lanes.spent(rank, window.from(), lanes.begun(rank, window.from()), before);
        for (int bin = 0; bin < bins; bin++) {
          long moment = window.from() + (bin + 1) * width;
          lanes.spent(rank, moment, lanes.begun(rank, moment), here);
          for (int state = 0; state < State.COUNT; state++) {
            spent[bin * State.COUNT + state] += here[state] - before[state];
          }
          System.arraycopy(here, 0, before, 0, State.COUNT);
        }
        countRaces(window, lanes, rank, width, races, race);
      }
      double all = (double) width * (places[lane + 1] - places[lane]);
      for (int i = 0; i < spent.length; i++) {
        long share = Math.round(SHARE_MAX * spent[i] / all);
        // What is there at all is seen.
        shares[lane * bins * State.COUNT + i] =
            (byte) (spent[i] > 0 ? Math.clamp(share, 1, SHARE_MAX) : 0);
      }
      for (int bin = 0; bin < bins; bin++) {
        if (races[bin] > 0) {
          raceLane.add(lane);
          raceBin.add(bin);
          raceCount.add(races[bin]);
          raceEvent.add(race[bin]);
        }
      }
    }
    return new Columns()
        .field("complete", false)
        .field("bins", bins)
        .ints("place", first)
        .ints("ranks", ranks)
        .bytes("shares", shares)
        .ints("raceLane", raceLane)
        .ints("raceBin", raceBin)
        .ints("raceCount", raceCount)
        .ints("raceEvent", raceEvent)
        .encode();
  }

  private void countRaces(
      Window window, LaneIndex lanes, int rank, long width, int[] races, int[] race) {
    RaceMarks marks = picture.marks();
    int end = marks.from(events.first(rank) + lanes.begun(rank, window.to()));
    int from = events.first(rank) + lanes.firstOpen(rank, window.from());
    for (int place = marks.from(from); place < end; place++) {
      long at = lanes.axis().end(rank, marks.call(place)) - window.from();
      int bin = (int) (at / width);
      if (at >= 0 && bin < races.length) {
        race[bin] = races[bin]++ == 0 ? marks.receive(place) : race[bin];
      }
    }
  }
}
