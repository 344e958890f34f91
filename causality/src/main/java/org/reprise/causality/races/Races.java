package org.reprise.causality.races;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.reprise.causality.EventGraph;
import org.reprise.causality.MatchOrder;
import org.reprise.causality.columns.NumberReader;
import org.reprise.causality.columns.NumberWriter;

/**
 * The receives and probes of a run that could have got another message. Of each there is a bit
 * only, however many there are; a {@link RaceScan.Sink} sees the messages as well.
 */
public final class Races {
  private final EventGraph graph;
  private final BitSet receives = new BitSet();
  private final BitSet uncertain = new BitSet();
  private long alternatives;

  private Races(EventGraph graph, EventGraph scanned, MatchOrder.Patterns patterns) {
    this.graph = graph;
    new RaceScan(scanned, patterns, new Collector()).run();
  }

  /**
   * What races in this run: a receive is among them if in some state that is reached by the run's
   * own matches it could have taken another message instead.
   */
  public static Races of(EventGraph graph) {
    return new Races(graph, graph, MatchOrder.Patterns.AS_POSTED);
  }

  /**
   * The control set: the receives and probes that a replay must force. If it forces these, and
   * keeps receives that never matched from matching, one execution is left; if it leaves any of
   * them free, more are. It can be larger than the set of those that race: a wildcard that is
   * forced no longer takes a message away from the next one.
   */
  public static Races controlSet(EventGraph graph) {
    return new Races(graph, graph.forced(), MatchOrder.Patterns.FORCED);
  }

  private Races(EventGraph graph, NumberReader in) {
    this.graph = graph;
    receives.or(BitSet.valueOf(in.longs()));
    uncertain.or(BitSet.valueOf(in.longs()));
    alternatives = in.number();
  }

  public void write(NumberWriter out) {
    out.longs(receives.toLongArray());
    out.longs(uncertain.toLongArray());
    out.number(alternatives);
  }

  /** Those of a graph that were written. */
  public static Races read(EventGraph graph, NumberReader in) {
    return new Races(graph, in);
  }

  /** Sees each receive or probe that races, with the messages that it could have got instead. */
  public interface Visitor {
    void race(int receive, int[] messages);
  }

  /**
   * Goes through all races of a run, receive by receive. Of each source there is one message at
   * most; messages of one source do not overtake each other.
   */
  public static void visit(EventGraph graph, Visitor visitor) {
    new RaceScan(
            graph,
            MatchOrder.Patterns.AS_POSTED,
            new RaceScan.Sink() {
              @Override
              public int shown() {
                return graph.events().ranks();
              }

              @Override
              public void race(int receive, long count, int[] shown, int shownCount) {
                visitor.race(receive, Arrays.copyOf(shown, shownCount));
              }

              @Override
              public void uncertain(int receive) {}
            })
        .run();
  }

  private final class Collector implements RaceScan.Sink {
    @Override
    public int shown() {
      return 1;
    }

    @Override
    public void race(int receive, long count, int[] shown, int shownCount) {
      receives.set(receive);
      alternatives += count;
    }

    @Override
    public void uncertain(int receive) {
      uncertain.set(receive);
    }
  }

  public EventGraph graph() {
    return graph;
  }

  /** How many receives and probes race. */
  public int size() {
    return receives.cardinality();
  }

  /** The events of the racing receives (their posts) and probes, in their order. */
  public IntStream receives() {
    return receives.stream();
  }

  /** Whether this receive or probe races. */
  public boolean contains(int event) {
    return receives.get(event);
  }

  /** How many messages they could have got instead, all together. */
  public long alternatives() {
    return alternatives;
  }

  /** The receives and probes of which it is uncertain whether they race, in their order. */
  public IntStream uncertain() {
    return uncertain.stream();
  }

  /** Whether it is uncertain of this receive or probe. */
  public boolean isUncertain(int event) {
    return uncertain.get(event);
  }
}
