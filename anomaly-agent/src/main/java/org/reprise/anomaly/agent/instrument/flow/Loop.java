package org.reprise.anomaly.agent.instrument.flow;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A natural loop: one node through which it is entered, and all that leads back to it. */
public final class Loop {
  private final int header;
  private final BitSet body = new BitSet();
  private final List<Integer> latches = new ArrayList<>();
  private @Nullable Loop parent;

  private Loop(int header) {
    this.header = header;
    body.set(header);
  }

  /** All loops of a method, inner ones before those around them. */
  public static List<Loop> of(FlowGraph graph) {
    Map<Integer, Loop> byHeader = new LinkedHashMap<>();
    for (int node : graph.order()) {
      for (int[] ways : List.of(graph.next(node), graph.handlers(node))) {
        for (int to : ways) {
          if (graph.dominates(to, node)) {
            byHeader.computeIfAbsent(to, Loop::new).addLatch(graph, node);
          }
        }
      }
    }
    List<Loop> loops = new ArrayList<>(byHeader.values());
    loops.sort(Comparator.comparingInt(loop -> loop.body.cardinality()));
    for (int i = 0; i < loops.size(); i++) {
      for (int j = i + 1; j < loops.size() && loops.get(i).parent == null; j++) {
        if (loops.get(j).contains(loops.get(i).header)) {
          loops.get(i).parent = loops.get(j);
        }
      }
    }
    return loops;
  }

  private void addLatch(FlowGraph graph, int latch) {
    latches.add(latch);
    List<Integer> open = new ArrayList<>(List.of(latch));
    while (!open.isEmpty()) {
      int node = open.remove(open.size() - 1);
      if (!body.get(node)) {
        body.set(node);
        for (int from : graph.previous(node)) {
          open.add(from);
        }
      }
    }
  }

  public int header() {
    return header;
  }

  /** The nodes from which control goes back to the header. */
  public List<Integer> latches() {
    return latches;
  }

  public @Nullable Loop parent() {
    return parent;
  }

  public boolean contains(int node) {
    return body.get(node);
  }

  /** Whether the other loop is this one or lies inside it. */
  public boolean contains(Loop other) {
    return body.get(other.header) && (other == this || other.header != header);
  }

  public int[] nodes() {
    return body.stream().toArray();
  }

  /** Whether a node is executed in every iteration that completes. */
  public boolean isInEveryIteration(FlowGraph graph, int node) {
    return latches.stream().allMatch(latch -> graph.dominates(node, latch));
  }
}
