package org.reprise.causality;

import java.util.Arrays;

/**
 * The receives and probes of a run that could have got another message, with how many others, and
 * with some of them. Receives come in the order of their events.
 */
public final class Races {
  private final EventGraph graph;
  private final int[] receives;
  private final long[] alternatives;
  private final int[] start;
  private final int[] shown;
  private final int[] uncertain;

  private Races(EventGraph graph, Collector collector) {
    this.graph = graph;
    receives = collector.receives.toArray();
    alternatives = Arrays.copyOf(collector.alternatives, receives.length);
    collector.start.add(collector.messages.size());
    start = collector.start.toArray();
    shown = collector.messages.toArray();
    uncertain = collector.uncertain.toArray();
  }

  /**
   * What races in this run: receive r is told with message m' if in some state that is reached by
   * the run's own matches r could have taken m' instead. Of each receive {@code shown} alternatives
   * are kept; all are counted.
   */
  public static Races of(EventGraph graph, int shown) {
    return new Races(graph, scan(graph, MatchOrder.Patterns.AS_POSTED, shown));
  }

  /**
   * The control set: the receives and probes that a replay must force. If it forces these, and
   * keeps receives that never matched from matching, one execution is left; if it leaves any of
   * them free, more are. It can be larger than the set of those that race: a wildcard that is
   * forced no longer takes a message away from the next one.
   */
  public static Races controlSet(EventGraph graph) {
    EventGraph forced = graph.forced(EventGraph.CLOCK_BYTES);
    return new Races(graph, scan(forced, MatchOrder.Patterns.FORCED, 1));
  }

  private static Collector scan(EventGraph graph, MatchOrder.Patterns patterns, int shown) {
    Collector collector = new Collector(shown);
    new RaceScan(graph, patterns, collector).run();
    return collector;
  }

  private static final class Collector implements RaceScan.Sink {
    private final int most;
    private final IntList receives = new IntList();
    private final IntList start = new IntList();
    private final IntList messages = new IntList();
    private final IntList uncertain = new IntList();
    private long[] alternatives = new long[8];

    Collector(int most) {
      this.most = Math.max(1, most);
    }

    @Override
    public int shown() {
      return most;
    }

    @Override
    public void race(int receive, long count, int[] shown, int shownCount) {
      if (receives.size() == alternatives.length) {
        alternatives = Arrays.copyOf(alternatives, 2 * alternatives.length);
      }
      alternatives[receives.size()] = count;
      receives.add(receive);
      start.add(messages.size());
      for (int i = 0; i < shownCount; i++) {
        messages.add(shown[i]);
      }
    }

    @Override
    public void uncertain(int receive) {
      uncertain.add(receive);
    }
  }

  public EventGraph graph() {
    return graph;
  }

  /** How many receives and probes race. */
  public int size() {
    return receives.length;
  }

  /** The event of a racing receive (its post) or probe. */
  public int receive(int index) {
    return receives[index];
  }

  /** Whether this receive or probe races. */
  public boolean contains(int event) {
    return Arrays.binarySearch(receives, event) >= 0;
  }

  /** How many messages it could have got instead. */
  public long alternatives(int index) {
    return alternatives[index];
  }

  /** Some of these messages. */
  public int[] shown(int index) {
    return Arrays.copyOfRange(shown, start[index], start[index + 1]);
  }

  /** The receives and probes of which it is uncertain whether they race. */
  public int[] uncertain() {
    return uncertain.clone();
  }
}
