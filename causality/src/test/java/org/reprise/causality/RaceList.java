package org.reprise.causality;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.reprise.causality.columns.IntList;
import org.reprise.causality.races.RaceScan;
import org.reprise.causality.races.Races;

/** Every race of a run with the messages that each receive or probe could have got instead. */
final class RaceList implements RaceScan.Sink {
  private record Race(int receive, long alternatives, int[] shown) {}

  private final int most;
  private final List<Race> races = new ArrayList<>();
  private final IntList uncertain = new IntList();

  private RaceList(int most) {
    this.most = most;
  }

  /** The races of a run; of each receive at most so many alternatives are kept, all are counted. */
  static RaceList of(EventGraph graph, int shown) {
    RaceList races = new RaceList(shown);
    new RaceScan(graph, MatchOrder.Patterns.AS_POSTED, races).run();
    Races set = Races.of(graph);
    int[] receives = races.races.stream().mapToInt(Race::receive).toArray();
    if (!Arrays.equals(set.receives().toArray(), receives)
        || !Arrays.equals(set.uncertain().toArray(), races.uncertain())
        || set.alternatives() != races.races.stream().mapToLong(Race::alternatives).sum()) {
      throw new AssertionError("the set of races is not what the scan found");
    }
    return races;
  }

  @Override
  public int shown() {
    return most;
  }

  @Override
  public void race(int receive, long alternatives, int[] shown, int count) {
    races.add(new Race(receive, alternatives, Arrays.copyOf(shown, count)));
  }

  @Override
  public void uncertain(int receive) {
    uncertain.add(receive);
  }

  int size() {
    return races.size();
  }

  int receive(int index) {
    return races.get(index).receive;
  }

  long alternatives(int index) {
    return races.get(index).alternatives;
  }

  int[] shown(int index) {
    return races.get(index).shown.clone();
  }

  int[] uncertain() {
    return uncertain.toArray();
  }
}
