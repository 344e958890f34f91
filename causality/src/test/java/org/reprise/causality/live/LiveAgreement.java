package org.reprise.causality.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.MatchOrder;
import org.reprise.causality.TableCursor;
import org.reprise.causality.races.RaceScan;

/** What is said of a run under way is what is said of the whole run when it is over. */
public final class LiveAgreement {
  /** Of a run as a whole. */
  private static final class Told implements RaceScan.Sink, LiveSink {
    private final EventGraph graph;
    private final TreeSet<String> pairs = new TreeSet<>();
    private final TreeSet<Integer> receives = new TreeSet<>();
    private final TreeSet<Integer> uncertain = new TreeSet<>();
    private final long[] racing;
    private final long[] alternatives;

    Told(EventGraph graph) {
      this.graph = graph;
      racing = new long[graph.events().ranks()];
      alternatives = new long[racing.length];
    }

    @Override
    public int shown() {
      return graph.events().ranks();
    }

    @Override
    public void race(int receive, long count, int[] shown, int shownCount) {
      receives.add(receive);
      racing[graph.events().rank(receive)]++;
      alternatives[graph.events().rank(receive)] += count;
      for (int i = 0; i < shownCount; i++) {
        pairs.add(receive + " " + graph.pairing().send(shown[i]));
      }
    }

    @Override
    public void uncertain(int receive) {
      uncertain.add(receive);
    }

    @Override
    public void race(Race race) {
      int receive = graph.events().event(race.rank(), (int) race.receive());
      receives.add(receive);
      racing[race.rank()] += race.receives();
      alternatives[race.rank()] += race.alternatives();
      int sent = graph.events().event(race.sender(), (int) race.send());
      if (!pairs.add(receive + " " + sent) && race.alternatives() == 1) {
        throw new AssertionError("told twice: " + receive + " " + sent);
      }
    }

    @Override
    public void uncertain(int rank, long receive, int site) {
      uncertain.add(graph.events().event(rank, (int) receive));
    }
  }

  private LiveAgreement() {}

  /** Compares both, with the events coming in some order. Returns how many receives race. */
  public static int check(EventGraph graph, Random random) {
    Told whole = new Told(graph);
    new RaceScan(graph, MatchOrder.Patterns.AS_POSTED, whole).run();
    Told live = told(graph, random, Integer.MAX_VALUE / 4);
    assertThat(live.pairs).as("races while the run goes on").isEqualTo(whole.pairs);
    assertThat(live.uncertain).as("uncertain receives").isEqualTo(whole.uncertain);
    assertThat(live.receives).isEqualTo(whole.receives);
    Told counted = told(graph, random, 1);
    assertThat(counted.racing).as("racing receives, counted").isEqualTo(whole.racing);
    assertThat(counted.alternatives).as("alternatives").isEqualTo(whole.alternatives);
    return whole.receives.size();
  }

  private static Told told(EventGraph graph, Random random, int few) {
    Told told = new Told(graph);
    EventTable events = graph.events();
    LiveRaces races = new LiveRaces(events.ranks(), told, few);
    List<TableCursor> left = new ArrayList<>();
    for (int rank = 0; rank < events.ranks(); rank++) {
      left.add(new TableCursor(events, rank));
    }
    int burst = 1 + random.nextInt(8);
    while (!left.isEmpty()) {
      TableCursor cursor = left.get(random.nextInt(left.size()));
      for (int i = random.nextInt(burst); i >= 0; i--) {
        if (!cursor.advance()) {
          left.remove(cursor);
          break;
        }
        races.read(cursor);
      }
      if (random.nextInt(3) == 0) {
        races.advance();
      }
    }
    races.finish();
    assertThat(races.limits()).isEmpty();
    return told;
  }
}
