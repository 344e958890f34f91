package org.reprise.anomaly.agent.instrument.loop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.loop.LoopAccess.Moving;

/**
 * Accesses that are one range together: {@code a[j-1]}, {@code a[j]} and {@code a[j+1]} in the same
 * loop. They all happened equally often where the loop is left normally, which their place in the
 * loop tells; where an exception leaves it, each is reported for itself.
 */
public final class Coalescing {
  /** What accesses of one range have in common. */
  private record Family(
      boolean isWrite,
      Loop loop,
      @Nullable Value array,
      @Nullable Value variable,
      @Nullable Polynomial coefficient,
      @Nullable Polynomial rest,
      boolean isColumn) {}

  private final NestPlan plan;
  private final FlowGraph graph;
  private final Map<Family, List<LoopAccess>> families = new LinkedHashMap<>();
  private final Map<LoopAccess, LoopAccess> leaders = new HashMap<>();

  Coalescing(NestPlan plan, FlowGraph graph) {
    this.plan = plan;
    this.graph = graph;
    for (LoopAccess access : plan.atExits) {
      Moving moving = access.moving;
      if (moving != null && !access.isColumn && moving.coefficient().isConstant()) {
        families
            .computeIfAbsent(
                family(access, moving, access.access.isWrite()), any -> new ArrayList<>())
            .add(access);
      }
    }
    families.values().forEach(this::split);
  }

  private Family family(LoopAccess access, Moving moving, boolean isWrite) {
    Polynomial rest = moving.rest();
    Value array = access.access.target();
    return new Family(
        isWrite,
        access.loop,
        array == null ? null : plan.region.same(array),
        moving.motion().variable(),
        moving.coefficient(),
        rest.minus(Polynomial.constant(rest.constant())),
        access.isColumn);
  }

  /** Cuts a family where its offsets leave a gap. */
  private void split(List<LoopAccess> family) {
    family.sort(Comparator.comparingInt(Coalescing::offset));
    List<LoopAccess> group = new ArrayList<>();
    for (LoopAccess access : family) {
      if (!group.isEmpty() && offset(access) > offset(group.get(group.size() - 1)) + 1) {
        settle(group);
        group.clear();
      }
      group.add(access);
    }
    settle(group);
  }

  private void settle(List<LoopAccess> group) {
    int width = offset(group.get(group.size() - 1)) - offset(group.get(0)) + 1;
    Moving moving = group.get(0).moving;
    if (moving != null && width >= Math.abs(moving.stride().constant())) {
      group.forEach(access -> leaders.put(access, group.get(0)));
    }
  }

  private static int offset(LoopAccess access) {
    return access.moving == null ? 0 : access.moving.rest().constant();
  }

  /** The access that speaks for a range; others of the range have the same one. */
  LoopAccess leader(LoopAccess access) {
    return leaders.getOrDefault(access, access);
  }

  /** What is reported where the loop is left from a node, in lists of accesses of one range. */
  List<List<LoopAccess>> atExit(Loop loop, int from) {
    Map<LoopAccess, List<LoopAccess>> byLeader = new LinkedHashMap<>();
    for (LoopAccess access : plan.atExits) {
      if (access.loop == loop) {
        byLeader.computeIfAbsent(leader(access), any -> new ArrayList<>()).add(access);
      }
    }
    List<List<LoopAccess>> result = new ArrayList<>();
    for (List<LoopAccess> group : byLeader.values()) {
      if (group.stream().allMatch(access -> isCovered(access, from))) {
        continue;
      }
      long past =
          group.stream().filter(access -> graph.dominates(access.access.node(), from)).count();
      if (past == 0 || past == group.size()) {
        group.sort(Comparator.comparingInt(Coalescing::offset));
        result.add(group);
      } else {
        group.forEach(access -> result.add(List.of(access)));
      }
    }
    return result;
  }

  /** Whether a write of the same elements, as often, makes the read's report superfluous. */
  private boolean isCovered(LoopAccess read, int from) {
    if (read.access.isWrite() || read.moving == null) {
      return false;
    }
    return families.getOrDefault(family(read, read.moving, true), List.of()).stream()
        .anyMatch(
            write ->
                offset(write) == offset(read)
                    && graph.dominates(write.access.node(), from)
                        == graph.dominates(read.access.node(), from));
  }
}
