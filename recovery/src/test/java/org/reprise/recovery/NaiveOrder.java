package org.reprise.recovery;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What happened before what in a drawn execution, by a search over its calls and flows. */
final class NaiveOrder {
  private final int[] first;
  private final List<List<Integer>> edges = new ArrayList<>();
  private final BitSet[] reached;

  NaiveOrder(RandomRun run) {
    first = new int[run.ranks() + 1];
    for (int rank = 0; rank < run.ranks(); rank++) {
      first[rank + 1] = first[rank] + 2 * run.size(rank);
      for (int node = first[rank]; node < first[rank + 1]; node++) {
        edges.add(new ArrayList<>());
        if (node > first[rank]) {
          edges.get(node - 1).add(node);
        }
      }
    }
    for (RandomRun.Flow flow : run.flows) {
      edges
          .get(first[flow.fromRank()] + 2 * flow.from())
          .add(first[flow.toRank()] + 2 * flow.to() + 1);
    }
    reached = new BitSet[edges.size()];
    for (int from = 0; from < reached.length; from++) {
      reached[from] = new BitSet();
      List<Integer> open = new ArrayList<>(List.of(from));
      while (!open.isEmpty()) {
        int node = open.removeLast();
        if (!reached[from].get(node)) {
          reached[from].set(node);
          open.addAll(edges.get(node));
        }
      }
    }
  }

  /** Whether the entry of a call leads to the last return before a position. */
  boolean isBefore(int rank, int position, int otherRank, int otherPosition) {
    int from = first[rank] + 2 * position;
    int to = first[otherRank] + 2 * otherPosition - 1;
    return from < first[rank + 1] && otherPosition > 0 && reached[from].get(to);
  }
}
