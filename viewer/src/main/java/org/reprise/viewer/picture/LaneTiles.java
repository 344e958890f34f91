package org.reprise.viewer.picture;

import java.util.Arrays;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;

/**
 * The lanes of a window: call by call where these are few, and else as previews, which say for each
 * bin what share of it the ranks spent in which state (after Jumpshot's preview states), how many
 * calls began in it, and how many of its receives race.
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

  public byte[] answer(Window window, boolean preview) {
    LaneIndex lanes = picture.lanes(window.axis());
    int end = Math.min(events.ranks(), window.firstRank() + window.ranks());
    long calls = 0;
    for (int rank = window.firstRank(); rank < end; rank++) {
      calls += lanes.begun(rank, window.to()) - lanes.firstOpen(rank, window.from());
    }
    return !preview && window.per() == 1 && calls <= CALLS_MAX
        ? calls(window, lanes, end)
        : previews(window, lanes, end);
  }

  private byte[] calls(Window window, LaneIndex lanes, int endRank) {
    CallColumns calls = new CallColumns(picture, lanes.axis());
    for (int rank = window.firstRank(); rank < endRank; rank++) {
      int end = lanes.begun(rank, window.to());
      for (int number = lanes.firstOpen(rank, window.from()); number < end; number++) {
        calls.add(rank, events.event(rank, number));
      }
    }
    return calls.into(new Columns().field("complete", true)).encode();
  }

  private byte[] previews(Window window, LaneIndex lanes, int endRank) {
    int bins = window.bins();
    long width = (window.to() - window.from()) / bins;
    byte[] shares = new byte[window.lanes() * bins * State.COUNT];
    Ints begun = new Ints();
    Ints raceLane = new Ints();
    Ints raceBin = new Ints();
    Ints raceCount = new Ints();
    Ints raceEvent = new Ints();
    long[] spent = new long[bins * State.COUNT];
    long[] here = new long[State.COUNT];
    long[] before = new long[State.COUNT];
    for (int lane = 0; lane < window.lanes(); lane++) {
      Arrays.fill(spent, 0);
      int[] counts = new int[bins];
      int[] races = new int[bins];
      int[] race = new int[bins];
      int first = window.firstRank() + lane * window.per();
      int end = Math.min(endRank, first + window.per());
      for (int rank = first; rank < end; rank++) {
        int begunBefore = lanes.begun(rank, window.from());
        lanes.spent(rank, window.from(), begunBefore, before);
        for (int bin = 0; bin < bins; bin++) {
          long moment = window.from() + (bin + 1) * width;
          int begunHere = lanes.begun(rank, moment);
          lanes.spent(rank, moment, begunHere, here);
          for (int state = 0; state < State.COUNT; state++) {
            spent[bin * State.COUNT + state] += here[state] - before[state];
          }
          counts[bin] += begunHere - begunBefore;
          begunBefore = begunHere;
          System.arraycopy(here, 0, before, 0, State.COUNT);
        }
        countRaces(window, lanes, rank, width, races, race);
      }
      double all = (double) width * Math.max(1, end - first);
      for (int i = 0; i < spent.length; i++) {
        long share = Math.round(SHARE_MAX * spent[i] / all);
        // What is there at all is seen.
        shares[lane * bins * State.COUNT + i] =
            (byte) (spent[i] > 0 ? Math.clamp(share, 1, SHARE_MAX) : 0);
      }
      for (int bin = 0; bin < bins; bin++) {
        begun.add(counts[bin]);
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
        .bytes("shares", shares)
        .ints("begun", begun)
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
