package org.reprise.causality.races;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import org.reprise.causality.EventGraph;
import org.reprise.causality.MatchOrder;
import org.reprise.causality.Pairing;
import org.reprise.causality.columns.IntList;
import org.reprise.causality.columns.LongIntMap;

/**
 * How few messages cover all races: a set with at least one message of every pair that races, which
 * is a vertex cover of the graph of races (Netzer and Miller 1992, 5.2). The least is hard to find
 * in large graphs; there any maximal matching tells that it lies between its size and twice that.
 *
 * @param matching size of a maximal matching: no cover is smaller
 * @param least size of the least cover, if it could be found
 */
record RaceCover(long matching, OptionalLong least) {
  private static final int EDGES_MAX = 20_000;
  private static final int STEPS_MAX = 200_000;

  /** The cover of the races between messages that were received. */
  static RaceCover of(EventGraph graph) {
    Edges edges = new Edges(graph);
    new RaceScan(graph, MatchOrder.Patterns.AS_POSTED, edges).run();
    return new RaceCover(edges.matching, edges.complete ? edges.least() : OptionalLong.empty());
  }

  /** Every race as it is found. */
  private static final class Edges implements RaceScan.Sink {
    private final Pairing pairing;
    private final int ranks;
    private final BitSet matched = new BitSet();
    private final IntList from = new IntList();
    private final IntList to = new IntList();
    private long matching;
    private boolean complete = true;

    Edges(EventGraph graph) {
      pairing = graph.pairing();
      ranks = graph.events().ranks();
    }

    @Override
    public int shown() {
      return ranks;
    }

    @Override
    public void race(int receive, long alternatives, int[] shown, int count) {
      int mine = pairing.message(receive);
      for (int i = 0; i < count; i++) {
        int other = shown[i];
        if (pairing.receive(other) < 0) {
          continue;
        }
        if (!matched.get(mine) && !matched.get(other)) {
          matched.set(mine);
          matched.set(other);
          matching++;
        }
        if (from.size() < EDGES_MAX) {
          from.add(mine);
          to.add(other);
        } else {
          complete = false;
        }
      }
    }

    @Override
    public void uncertain(int receive) {}

    private OptionalLong least() {
      LongIntMap number = new LongIntMap();
      for (int i = 0; i < from.size(); i++) {
        number.putIfAbsent(from.get(i), number.size());
        number.putIfAbsent(to.get(i), number.size());
      }
      List<BitSet> neighbours = new ArrayList<>();
      for (int i = 0; i < number.size(); i++) {
        neighbours.add(new BitSet());
      }
      for (int i = 0; i < from.size(); i++) {
        int a = number.get(from.get(i));
        int b = number.get(to.get(i));
        neighbours.get(a).set(b);
        neighbours.get(b).set(a);
      }
      return new Search(neighbours).all();
    }
  }

  /** Branch and bound, one connected part after the other. */
  private static final class Search {
    private final List<BitSet> neighbours;
    private int steps;
    private int best;

    Search(List<BitSet> neighbours) {
      this.neighbours = neighbours;
    }

    OptionalLong all() {
      BitSet left = new BitSet();
      left.set(0, neighbours.size());
      long sum = 0;
      while (!left.isEmpty()) {
        BitSet part = part(left.nextSetBit(0));
        left.andNot(part);
        best = part.cardinality();
        search(part, 0);
        if (steps > STEPS_MAX) {
          return OptionalLong.empty();
        }
        sum += best;
      }
      return OptionalLong.of(sum);
    }

    private BitSet part(int start) {
      BitSet part = new BitSet();
      BitSet open = new BitSet();
      open.set(start);
      while (!open.isEmpty()) {
        int vertex = open.nextSetBit(0);
        open.clear(vertex);
        part.set(vertex);
        open.or(neighbours.get(vertex));
        open.andNot(part);
      }
      return part;
    }

    private int degree(int vertex, BitSet present) {
      BitSet edges = (BitSet) neighbours.get(vertex).clone();
      edges.and(present);
      return edges.cardinality();
    }

    /** Either a vertex is in the cover, or all its neighbours are. */
    private void search(BitSet present, int taken) {
      BitSet rest = (BitSet) present.clone();
      int count = taken;
      while (true) {
        if (count >= best || ++steps > STEPS_MAX) {
          return;
        }
        int most = 0;
        int chosen = -1;
        int leaf = -1;
        for (int v = rest.nextSetBit(0); v >= 0; v = rest.nextSetBit(v + 1)) {
          int degree = degree(v, rest);
          if (degree == 0) {
            rest.clear(v);
          } else if (degree == 1) {
            leaf = v;
          }
          if (degree > most) {
            most = degree;
            chosen = v;
          }
        }
        if (chosen < 0) {
          best = count;
          return;
        }
        if (leaf >= 0) {
          // The neighbour of a leaf is in some least cover.
          BitSet only = (BitSet) neighbours.get(leaf).clone();
          only.and(rest);
          rest.andNot(only);
          count++;
          continue;
        }
        BitSet edges = (BitSet) neighbours.get(chosen).clone();
        edges.and(rest);
        BitSet without = (BitSet) rest.clone();
        without.clear(chosen);
        search(without, count + 1);
        without.andNot(edges);
        search(without, count + edges.cardinality());
        return;
      }
    }
  }
}
