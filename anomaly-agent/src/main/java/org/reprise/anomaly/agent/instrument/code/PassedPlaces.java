package org.reprise.anomaly.agent.instrument.code;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;

/**
 * Whether an iteration of a loop has come to one of some places by the time it is at a node: surely
 * so, surely not, or on some ways only. A node that is a place counts as passed, since what throws
 * there has touched what it was about to.
 */
public final class PassedPlaces {
  private final FlowGraph graph;
  private final Loop loop;

  /** The nodes that an iteration may come to without having passed a place. */
  private final BitSet without = new BitSet();

  /** The nodes that it may come to after a place, the places included. */
  private final BitSet after = new BitSet();

  public PassedPlaces(FlowGraph graph, Loop loop, Collection<Integer> places) {
    this.graph = graph;
    this.loop = loop;
    if (!places.contains(loop.header())) {
      walk(List.of(loop.header()), without, new HashSet<>(places));
    }
    walk(places, after, Set.of(loop.header()));
  }

  /** Collects where control may go within one iteration, from some nodes and not beyond others. */
  private void walk(Collection<Integer> from, BitSet found, Set<Integer> barred) {
    Deque<Integer> open = new ArrayDeque<>(from);
    from.forEach(found::set);
    while (!open.isEmpty()) {
      int node = open.pop();
      for (int[] ways : List.of(graph.next(node), graph.handlers(node))) {
        for (int to : ways) {
          if (loop.contains(to) && to != loop.header() && !barred.contains(to) && !found.get(to)) {
            found.set(to);
            open.push(to);
          }
        }
      }
    }
  }

  /** Whether an iteration that is at the node has passed a place, whichever way it came. */
  public boolean isPast(int node) {
    return !without.get(node);
  }

  /** Whether all ways to the node agree. */
  boolean isDecided(int node) {
    return without.get(node) != after.get(node);
  }

  /** Whether every iteration that completes has passed a place. */
  public boolean isInEveryIteration() {
    return loop.latches().stream().allMatch(this::isPast);
  }

  /** Whether it is plain wherever the loop may be left, by exceptions, too. */
  public boolean isDecidedAtExits() {
    for (int node : loop.nodes()) {
      boolean leaves = FlowGraph.mayThrow(graph.instruction(node).getOpcode());
      for (int to : graph.next(node)) {
        leaves |= !loop.contains(to);
      }
      if (leaves && !isDecided(node)) {
        return false;
      }
    }
    return true;
  }

  /** Whether iterations that move a variable of the loop have passed a place before they end. */
  public boolean isBeforeMoves(Value variable, Values values) {
    return isBeforeMoves(variable, variable, loop.header(), values, new HashSet<>());
  }

  private boolean isBeforeMoves(
      Value variable, Value merge, int node, Values values, Set<Value> seen) {
    int[] previous = graph.previous(node);
    List<Value> inputs = values.inputs(merge);
    if (inputs.size() != previous.length || !seen.add(merge)) {
      return false;
    }
    for (int i = 0; i < previous.length; i++) {
      Value input = inputs.get(i);
      boolean isMoved = loop.contains(previous[i]) && input != variable;
      if (isMoved && !isPast(previous[i])) {
        boolean isMerge = input.kind == Value.Kind.MERGE && loop.contains(input.node);
        if (!isMerge || !isBeforeMoves(variable, input, input.node, values, seen)) {
          return false;
        }
      }
    }
    return true;
  }
}
