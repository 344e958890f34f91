package org.reprise.recovery;

import java.util.ArrayDeque;
import java.util.Arrays;

/** A network of capacities and its minimum cut, by blocking flows (Dinic 1970). */
final class FlowNetwork {
  /** The capacity of an edge that no minimum cut may contain. */
  static final long INFINITE = Long.MAX_VALUE / 4;

  private int nodes;
  private int edges;
  private int[] firstEdge;

  /** By edge; an edge and the one back, with which it shares its capacity, differ in one bit. */
  private int[] nextEdge = new int[64];

  private int[] target = new int[64];
  private long[] capacity = new long[64];

  private int[] level = new int[0];
  private int[] untried = new int[0];

  FlowNetwork(int nodes) {
    this.nodes = nodes;
    firstEdge = new int[Math.max(2, nodes)];
    Arrays.fill(firstEdge, -1);
  }

  /** Another node. */
  int node() {
    if (nodes == firstEdge.length) {
      firstEdge = Arrays.copyOf(firstEdge, 2 * nodes);
      Arrays.fill(firstEdge, nodes, 2 * nodes, -1);
    }
    return nodes++;
  }

  void edge(int from, int to, long most) {
    if (from != to && most > 0) {
      add(from, to, most);
      add(to, from, 0);
    }
  }

  private void add(int from, int to, long most) {
    if (edges == target.length) {
      nextEdge = Arrays.copyOf(nextEdge, 2 * edges);
      target = Arrays.copyOf(target, 2 * edges);
      capacity = Arrays.copyOf(capacity, 2 * edges);
    }
    target[edges] = to;
    capacity[edges] = most;
    nextEdge[edges] = firstEdge[from];
    firstEdge[from] = edges++;
  }

  /** Which nodes are on the source's side of a minimum cut, the largest such side. */
  boolean[] cut(int source, int sink) {
    level = new int[nodes];
    while (levels(source, sink)) {
      untried = Arrays.copyOf(firstEdge, nodes);
      push(source, sink);
    }
    boolean[] side = new boolean[nodes];
    Arrays.fill(side, true);
    side[sink] = false;
    ArrayDeque<Integer> open = new ArrayDeque<>();
    open.add(sink);
    while (!open.isEmpty()) {
      int node = open.poll();
      for (int edge = firstEdge[node]; edge >= 0; edge = nextEdge[edge]) {
        if (capacity[edge ^ 1] > 0 && side[target[edge]]) {
          side[target[edge]] = false;
          open.add(target[edge]);
        }
      }
    }
    return side;
  }

  /** Distances from the source over edges that are not full; whether the sink is reached. */
  private boolean levels(int source, int sink) {
    Arrays.fill(level, -1);
    level[source] = 0;
    ArrayDeque<Integer> open = new ArrayDeque<>();
    open.add(source);
    while (!open.isEmpty()) {
      int node = open.poll();
      for (int edge = firstEdge[node]; edge >= 0; edge = nextEdge[edge]) {
        if (capacity[edge] > 0 && level[target[edge]] < 0) {
          level[target[edge]] = level[node] + 1;
          open.add(target[edge]);
        }
      }
    }
    return level[sink] >= 0;
  }

  /** Fills shortest paths until there is none; without recursion, as they may be long. */
  private void push(int source, int sink) {
    int[] path = new int[nodes];
    int length = 0;
    int node = source;
    while (true) {
      if (node == sink) {
        long most = Long.MAX_VALUE;
        for (int i = 0; i < length; i++) {
          most = Math.min(most, capacity[path[i]]);
        }
        int full = 0;
        for (int i = length - 1; i >= 0; i--) {
          capacity[path[i]] -= most;
          capacity[path[i] ^ 1] += most;
          full = capacity[path[i]] == 0 ? i : full;
        }
        length = full;
        node = target[path[full] ^ 1];
      }
      int edge = untried[node];
      while (edge >= 0 && (capacity[edge] == 0 || level[target[edge]] != level[node] + 1)) {
        edge = nextEdge[edge];
      }
      untried[node] = edge;
      if (edge >= 0) {
        path[length++] = edge;
        node = target[edge];
      } else if (length == 0) {
        return;
      } else {
        level[node] = -1;
        node = target[path[--length] ^ 1];
      }
    }
  }
}
