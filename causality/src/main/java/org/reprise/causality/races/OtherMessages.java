package org.reprise.causality.races;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.MatchOrder;
import org.reprise.causality.Pairing;

/**
 * What single receives and probes of a run could have got instead, message by message. They are
 * found by going through the events of one rank again, so nothing is kept for receives that nobody
 * asks about. Several threads may ask.
 */
public final class OtherMessages {
  /** So many messages of a receive are named one by one, at most. */
  private static final int SHOWN = 64;

  /**
   * What a receive or probe could have got instead.
   *
   * @param count how many messages
   * @param sends the events that sent the first of them
   */
  public record Choice(long count, List<Integer> sends) {
    public Choice {
      sends = List.copyOf(sends);
    }
  }

  private final EventTable events;
  private final RaceScan scan;
  private final Map<Integer, Choice> choices = new HashMap<>();
  private int scanned = EventTable.NONE;

  public OtherMessages(EventGraph graph) {
    events = graph.events();
    scan = new RaceScan(graph, MatchOrder.Patterns.AS_POSTED, new Collector(graph.pairing()));
  }

  /** Of a receive (its post) or probe; empty if it could have got nothing else. */
  public synchronized Optional<Choice> of(int receive) {
    int rank = events.rank(receive);
    if (rank != scanned) {
      choices.clear();
      scanned = rank;
      scan.scan(rank);
    }
    return Optional.ofNullable(choices.get(receive));
  }

  private final class Collector implements RaceScan.Sink {
    private final Pairing pairing;

    Collector(Pairing pairing) {
      this.pairing = pairing;
    }

    @Override
    public int shown() {
      return SHOWN;
    }

    @Override
    public void race(int receive, long count, int[] shown, int shownCount) {
      choices.put(
          receive,
          new Choice(
              count, Arrays.stream(shown, 0, shownCount).map(pairing::send).boxed().toList()));
    }

    @Override
    public void uncertain(int receive) {}
  }
}
