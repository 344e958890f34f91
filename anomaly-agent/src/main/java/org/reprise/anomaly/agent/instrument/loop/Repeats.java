package org.reprise.anomaly.agent.instrument.loop;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;

/**
 * Accesses that repeat one that the same block has made on every way to them: the same element or
 * field of the same object, and a write if this is one. Available expressions, where whatever may
 * end the block makes everything unavailable.
 */
public final class Repeats {
  /** Methods with more different accesses than this are not looked into. */
  private static final int KEYS_MAX = 1000;

  private record Key(
      boolean isWrite, @Nullable Value target, @Nullable Polynomial index, String field) {}

  private final FlowGraph graph;
  private final BitSet boundaries;
  private final Function<Integer, Region> regionOf;
  private final Map<Key, Integer> numbers = new HashMap<>();

  /** What becomes available at a node. */
  private final Map<Integer, BitSet> made = new HashMap<>();

  /** What a node makes unavailable because a value changes there. */
  private final Map<Integer, BitSet> changed = new HashMap<>();

  /** Keys that mean the same only inside a region. */
  private final Map<Region, BitSet> bound = new HashMap<>();

  public Repeats(FlowGraph graph, BitSet boundaries, Function<Integer, Region> regionOf) {
    this.graph = graph;
    this.boundaries = boundaries;
    this.regionOf = regionOf;
  }

  /** Those of the accesses that repeat another one. */
  public Set<AccessInstruction> find(List<AccessInstruction> accesses) {
    Map<AccessInstruction, Integer> keys = new HashMap<>();
    for (AccessInstruction access : accesses) {
      int read = number(access, false);
      BitSet makes = made.computeIfAbsent(access.node(), any -> new BitSet());
      makes.set(read);
      keys.put(access, read);
      if (access.isWrite()) {
        int write = number(access, true);
        makes.set(write);
        keys.put(access, write);
      }
    }
    if (numbers.isEmpty() || numbers.size() > KEYS_MAX) {
      return Set.of();
    }
    BitSet[] before = available();
    Set<AccessInstruction> repeated = new HashSet<>();
    keys.forEach(
        (access, key) -> {
          if (before[access.node()].get(key)) {
            repeated.add(access);
          }
        });
    return repeated;
  }

  private int number(AccessInstruction access, boolean isWrite) {
    Region region = regionOf.apply(access.node());
    Value target = access.target() == null ? null : region.same(access.target());
    Polynomial index = access.index() == null ? null : region.polynomial(access.index());
    Key key = new Key(isWrite, target, index, access.field());
    Integer known = numbers.get(key);
    if (known != null) {
      return known;
    }
    int number = numbers.size();
    numbers.put(key, number);
    List<Value> parts = new ArrayList<>();
    if (target != null) {
      parts.add(target);
    }
    if (index != null) {
      index.terms().keySet().forEach(parts::addAll);
    }
    for (Value part : parts) {
      for (int node : region.changes(part)) {
        changed.computeIfAbsent(node, any -> new BitSet()).set(number);
      }
      if (region.dependsOnRegion(part)) {
        bound.computeIfAbsent(region, any -> new BitSet()).set(number);
      }
    }
    return number;
  }

  private BitSet[] available() {
    BitSet[] before = new BitSet[graph.size()];
    BitSet[] after = new BitSet[graph.size()];
    boolean again = true;
    while (again) {
      again = false;
      for (int node : graph.order()) {
        BitSet in = meet(node, before, after);
        if (!in.equals(before[node])) {
          before[node] = in;
          after[node] = through(node, in);
          again = true;
        }
      }
    }
    return before;
  }

  private BitSet meet(int node, BitSet[] before, BitSet[] after) {
    BitSet in = null;
    for (int from : graph.previous(node)) {
      // What a node made available may not have happened if it threw.
      for (BitSet arriving :
          graph.isNormal(from, node)
              ? new BitSet[] {after[from]}
              : new BitSet[] {before[from], after[from]}) {
        if (arriving != null) {
          if (in == null) {
            in = (BitSet) arriving.clone();
          } else {
            in.and(arriving);
          }
        }
      }
    }
    if (in == null) {
      return new BitSet();
    }
    BitSet changes = changed.get(node);
    if (changes != null) {
      in.andNot(changes);
    }
    for (Map.Entry<Region, BitSet> entry : bound.entrySet()) {
      if (!entry.getKey().contains(node)) {
        in.andNot(entry.getValue());
      }
    }
    return in;
  }

  private BitSet through(int node, BitSet in) {
    if (boundaries.get(node)) {
      return new BitSet();
    }
    BitSet makes = made.get(node);
    BitSet out = (BitSet) in.clone();
    if (makes != null) {
      out.or(makes);
    }
    return out;
  }
}
