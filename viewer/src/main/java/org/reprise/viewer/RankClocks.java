package org.reprise.viewer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import org.reprise.causality.EventGraph;
import org.reprise.causality.EventTable;
import org.reprise.causality.Pairing;

/**
 * The clocks of all ranks on one scale that begins at 0. Ranks of one host share a clock. Clocks of
 * different hosts are brought together by the messages between them: no message arrives before it
 * is sent, so messages in both directions leave only a band for the difference of two clocks, and
 * its middle is taken once in the first half of the run and once in the second, which gives offset
 * and drift. Hosts without messages in both directions stay as they were recorded. Where messages
 * between ranks of one host arrive before they are sent, it is not known well enough when a rank's
 * trace began: ranks are moved to the right, as little as makes every message arrive after it was
 * sent.
 */
public final class RankClocks {
  /** A drift beyond this is no drift of a clock, but of the network's load. */
  private static final double DRIFT_MAX = 1e-3;

  /** Passes over all messages that move ranks; nearly all is done in the first ones. */
  private static final int ROUNDS_MAX = 32;

  private final long[] origin;
  private final double[] slope;
  private final int hosts;
  private int fitted;

  private RankClocks(long[] origin, int hosts) {
    this.origin = origin;
    this.hosts = hosts;
    slope = new double[origin.length];
    Arrays.fill(slope, 1);
  }

  /**
   * Of the ranks of a run.
   *
   * @param originNanos when each rank's events began, by the clock of its host
   * @param hosts the host of each rank
   */
  public static RankClocks of(EventGraph graph, long[] originNanos, List<String> hosts) {
    List<String> names = new ArrayList<>(new LinkedHashSet<>(hosts));
    RankClocks clocks = new RankClocks(originNanos.clone(), names.size());
    clocks.beginAtZero(graph.events());
    if (names.size() > 1) {
      clocks.fit(graph, hosts.stream().mapToInt(names::indexOf).toArray(), names.size());
      clocks.beginAtZero(graph.events());
    }
    if (names.size() == 1) {
      clocks.moveApart(graph);
      clocks.beginAtZero(graph.events());
    }
    return clocks;
  }

  /**
   * As the run itself sent each message before it arrived, moving comes to an end: no rank is moved
   * further than what the others' beginnings are off by.
   */
  private void moveApart(EventGraph graph) {
    EventTable events = graph.events();
    Pairing pairing = graph.pairing();
    boolean moved = true;
    for (int round = 0; moved && round <= origin.length && round < ROUNDS_MAX; round++) {
      moved = false;
      for (int m = 0; m < pairing.messages(); m++) {
        int receive = pairing.receive(m);
        int done = receive < 0 ? EventTable.NONE : graph.completion(receive);
        if (done >= 0) {
          int send = pairing.send(m);
          int rank = events.rank(done);
          long early =
              at(events.rank(send), events.startNanos(send)) - at(rank, events.endNanos(done));
          if (early > 0) {
            origin[rank] += early;
            moved = true;
          }
        }
      }
    }
  }

  private void beginAtZero(EventTable events) {
    long least = Long.MAX_VALUE;
    for (int rank = 0; rank < origin.length; rank++) {
      if (events.size(rank) > 0) {
        least = Math.min(least, at(rank, events.startNanos(events.first(rank))));
      }
    }
    for (int rank = 0; rank < origin.length; rank++) {
      origin[rank] -= least == Long.MAX_VALUE ? origin[rank] : least;
    }
  }

  /** A moment of a rank on the common scale. */
  public long at(int rank, long nanos) {
    return origin[rank] + (slope[rank] == 1 ? nanos : (long) (slope[rank] * nanos));
  }

  /** When the events of each rank begin on the common scale. */
  public long[] origins() {
    return origin.clone();
  }

  /** How many hosts the ranks were on. */
  public int hosts() {
    return hosts;
  }

  /** How many clocks were brought together with that of the first host. */
  public int fitted() {
    return fitted;
  }

  /** The least time that messages took from one host to another, in each half of the run. */
  private static final class Delays {
    private final long[] least = {Long.MAX_VALUE, Long.MAX_VALUE};
    private final long[] when = new long[2];

    void add(int half, long sent, long received) {
      if (received - sent < least[half]) {
        least[half] = received - sent;
        when[half] = sent;
      }
    }

    boolean isKnown(int half) {
      return least[half] != Long.MAX_VALUE;
    }
  }

  private void fit(EventGraph graph, int[] hostOf, int count) {
    Delays[][] delays = delays(graph, hostOf, count);
    boolean[] known = new boolean[count];
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(0));
    known[0] = true;
    while (!open.isEmpty()) {
      int from = open.poll();
      for (int to = 0; to < count; to++) {
        if (!known[to] && bringTogether(delays, hostOf, from, to)) {
          known[to] = true;
          fitted++;
          open.add(to);
          // What is measured from there on is measured on the new scale.
          delays = delays(graph, hostOf, count);
        }
      }
    }
  }

  private Delays[][] delays(EventGraph graph, int[] hostOf, int count) {
    EventTable events = graph.events();
    Pairing pairing = graph.pairing();
    Delays[][] delays = new Delays[count][count];
    for (Delays[] row : delays) {
      Arrays.setAll(row, _ -> new Delays());
    }
    for (int m = 0; m < pairing.messages(); m++) {
      int receive = pairing.receive(m);
      int done = receive < 0 ? EventTable.NONE : graph.completion(receive);
      if (done >= 0) {
        int source = events.rank(pairing.send(m));
        int target = events.rank(receive);
        if (hostOf[source] != hostOf[target]) {
          long sent = at(source, events.startNanos(pairing.send(m)));
          long received = at(target, events.endNanos(done));
          delays[hostOf[source]][hostOf[target]].add(half(events, pairing.send(m)), sent, received);
        }
      }
    }
    return delays;
  }

  /** In which half of its rank's own time a call is: that does not depend on other clocks. */
  private static int half(EventTable events, int event) {
    int rank = events.rank(event);
    int last = events.event(rank, events.size(rank) - 1);
    return 2 * events.startNanos(event) < events.endNanos(last) ? 0 : 1;
  }

  /** Moves the ranks of a host so that messages to it and from it take the same least time. */
  private boolean bringTogether(Delays[][] delays, int[] hostOf, int from, int to) {
    Delays there = delays[from][to];
    Delays back = delays[to][from];
    double[] ahead = new double[2];
    double[] when = new double[2];
    int halves = 0;
    for (int half = 0; half < 2; half++) {
      if (there.isKnown(half) && back.isKnown(half)) {
        ahead[halves] = (there.least[half] - back.least[half]) / 2.0;
        when[halves++] = (there.when[half] + back.when[half]) / 2.0;
      }
    }
    if (halves == 0) {
      return false;
    }
    double drift = halves < 2 ? 0 : (ahead[1] - ahead[0]) / Math.max(1, when[1] - when[0]);
    drift = Math.abs(drift) > DRIFT_MAX ? 0 : drift;
    double base = ahead[0] - drift * when[0];
    for (int rank = 0; rank < origin.length; rank++) {
      if (hostOf[rank] == to) {
        // x becomes x - base - drift * x, for x = origin + slope * nanos.
        origin[rank] = Math.round(origin[rank] * (1 - drift) - base);
        slope[rank] *= 1 - drift;
      }
    }
    return true;
  }
}
