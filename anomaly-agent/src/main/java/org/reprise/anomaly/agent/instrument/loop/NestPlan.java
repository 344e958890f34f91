package org.reprise.anomaly.agent.instrument.loop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.code.HookNames;
import org.reprise.anomaly.agent.instrument.code.Motion;
import org.reprise.anomaly.agent.instrument.code.Temporaries;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.loop.LoopAccess.Moving;
import org.reprise.anomaly.agent.instrument.loop.LoopAccess.Through;

/**
 * How the accesses of a nest of loops are checked, in which no block ends. What an access touches
 * in a whole inner loop is known when that loop is left: one element, or a range, since an index
 * that moves by steps visits all between its first and its last. No bound is looked for.
 */
public final class NestPlan {
  private record Variable(Loop loop, Value value) {}

  /**
   * What accesses have in common that one rectangle gathers: of two that exclude each other, each
   * has gaps where the other one is.
   */
  private record Point(boolean isWrite, Value array, Polynomial index, Loop inner) {}

  /** A value for the code at exits: from a local variable, or from the node that computes it. */
  record Kept(int from, int temporary) {}

  final Loop outer;
  final Region region;
  final List<Loop> loops = new ArrayList<>();
  public final List<LoopAccess> atExits = new ArrayList<>();

  /** From a place of the nest that reports one by one to what collects its reports. */
  public final Map<AccessInstruction, Integer> points = new LinkedHashMap<>();

  public final Map<AccessInstruction, Integer> scattered = new LinkedHashMap<>();

  /** Accesses {@code x[list[j]]} of which the loop's end tells where in the list they were. */
  public final List<LoopAccess> through = new ArrayList<>();

  /**
   * From those of an inner loop that does the same each time to what is reported when the loop
   * around it is left: what the inner loop touched in its last complete round.
   */
  final Map<LoopAccess, LoopAccess> wholes = new LinkedHashMap<>();

  /** What these keep, by the instruction that loads the index. */
  final Map<Integer, Through> indexLoads = new LinkedHashMap<>();

  /**
   * From an access to one in an inner loop before it that would have touched the same element next:
   * {@code a[j] = x} behind the loop that moves {@code a[j - 1]} to {@code a[j]}. Together they are
   * a range where each for itself is not, so one rectangle gathers both.
   */
  final Map<AccessInstruction, LoopAccess> continued = new LinkedHashMap<>();

  /** Those of them that do the same each time their loop is entered. */
  public final Map<AccessInstruction, RepeatedTraversal> once = new HashMap<>();

  /** Values in coefficients, by the loop before which they are kept. */
  final Map<Loop, List<Kept>> keptBefore = new LinkedHashMap<>();

  /** Values in coefficients that are computed inside: kept where they are computed. */
  final List<Kept> keptInside = new ArrayList<>();

  private final Map<Point, Integer> places = new HashMap<>();
  private final FlowGraph graph;
  private final Values values;
  private final ConstantArrays constants;
  private final Temporaries temporaries;
  private final Map<Variable, int[]> variables = new HashMap<>();
  private final Map<Value, List<LoopAccess>> loads = new HashMap<>();
  private final Map<AccessInstruction, Integer> sites = new HashMap<>();
  private final Map<Variable, Integer> kept = new HashMap<>();

  public NestPlan(
      Loop outer,
      Region region,
      List<Loop> all,
      FlowGraph graph,
      Values values,
      ConstantArrays constants,
      Temporaries temporaries) {
    this.outer = outer;
    this.region = region;
    this.graph = graph;
    this.values = values;
    this.constants = constants;
    this.temporaries = temporaries;
    for (Loop loop : all) {
      if (outer.contains(loop)) {
        loops.add(loop);
      }
    }
  }

  /** An access of the nest that is collected got this site. */
  public void number(AccessInstruction access, int site) {
    sites.put(access, site);
    wholes.forEach(
        (planned, whole) -> {
          if (planned.access == access) {
            whole.site = site;
          }
        });
  }

  int site(AccessInstruction access) {
    return sites.getOrDefault(access, 0);
  }

  /** Variables of loops whose values must be kept, with the two places for them. */
  void forEachVariable(VariableAction action) {
    variables.forEach((key, places) -> action.accept(key.loop, key.value, places[0], places[1]));
  }

  interface VariableAction {
    void accept(Loop loop, Value variable, int start, int current);
  }

  public boolean contains(AccessInstruction access) {
    return outer.contains(access.node());
  }

  /** The innermost loop around a node. */
  public Loop innermost(int node) {
    for (Loop loop : loops) {
      if (loop.contains(node)) {
        return loop;
      }
    }
    throw new IllegalArgumentException("not in the nest");
  }

  /** Plans one access. Accesses come in the order of the code, so rows come before elements. */
  public String add(AccessInstruction access) {
    Loop inner = innermost(access.node());
    if (!access.isElement()) {
      return addField(access, inner);
    }
    Value array = access.target();
    Value index = access.index();
    if (array == null || index == null) {
      throw new IllegalArgumentException("not an element");
    }
    boolean arrayRests = region.isInvariant(array, inner);
    if (arrayRests && isInvariant(index, inner)) {
      Loop loop = inner;
      while (loop != outer && isTractable(parent(loop)) && rests(array, index, parent(loop))) {
        loop = parent(loop);
      }
      if (isTractable(loop)) {
        return atExits(access, loop, null, row(access, loop, false), false, "one element a loop");
      }
    } else if (isTractable(inner) && inner.isInEveryIteration(graph, access.node())) {
      if (arrayRests) {
        Moving moving = moving(access, index, inner);
        if (moving != null) {
          return atExits(access, inner, moving, row(access, inner, false), false, "a range");
        }
        if (addThrough(access, index, inner)) {
          return "through its indices";
        }
      } else {
        LoopAccess row = row(access, inner, true);
        if (row != null && isInvariant(index, inner)) {
          return atExits(access, inner, row.moving, row, true, "a column");
        }
      }
    }
    if (motion(region.polynomial(index), inner).isPresent()) {
      Point point =
          new Point(access.isWrite(), region.same(array), region.polynomial(index), inner);
      points.put(
          access,
          places.computeIfAbsent(point, any -> temporaries.newReference(HookNames.RECTANGLE)));
      return "gathered to ranges while the loop runs";
    }
    scattered.put(access, temporaries.newReference(HookNames.INDICES));
    Optional<RepeatedTraversal> repeated = once(access, inner);
    repeated.ifPresent(found -> once.put(access, found));
    return repeated.isPresent()
        ? "indices listed the first time in the loop"
        : "indices listed in the loop";
  }

  private Optional<RepeatedTraversal> once(AccessInstruction access, Loop inner) {
    return RepeatedTraversal.of(access, inner, outer, region, graph, values, temporaries)
        .filter(found -> isTractable(inner) && isTractable(found.around()));
  }

  /** An element whose index is loaded in the same loop, from a place that moves by steps. */
  private boolean addThrough(AccessInstruction access, Value index, Loop loop) {
    if (index.kind != Value.Kind.RESULT
        || index.opcode() != Opcodes.IALOAD
        || !region.isRepeatable(index)
        || !loop.contains(index.node)
        || innermost(index.node) != loop
        || !region.isInvariant(values.operand(index.node, 1), loop)) {
      return false;
    }
    Moving moving = moving(access, values.operand(index.node, 0), loop);
    if (moving == null || !moving.stride().isConstant() || moving.stride().constant() == 0) {
      return false;
    }
    Through load =
        indexLoads.computeIfAbsent(
            index.node,
            node ->
                new Through(
                    node,
                    temporaries.newReference(Temporaries.OBJECT),
                    temporaries.newInt(),
                    constants.isLasting(values, values.operand(node, 1))));
    LoopAccess planned = new LoopAccess(access, loop, moving, load, temporaries);
    through.add(planned);
    once(access, loop)
        .map(RepeatedTraversal::around)
        .map(around -> new LoopAccess(access, around, moving, load, temporaries))
        .ifPresent(whole -> wholes.put(planned, whole));
    return true;
  }

  /**
   * Finds, when all accesses are planned, those that continue a range; they are no longer listed.
   */
  public Set<AccessInstruction> findContinued() {
    for (LoopAccess planned : atExits) {
      if (planned.moving != null && planned.row == null && planned.loop != outer) {
        scattered.keySet().stream()
            .filter(access -> innermost(access.node()).contains(planned.loop))
            .filter(access -> isSameElement(access, planned.access))
            .forEach(access -> continued.put(access, planned));
      }
    }
    scattered.keySet().removeAll(continued.keySet());
    once.keySet().removeAll(continued.keySet());
    return continued.keySet();
  }

  private boolean isSameElement(AccessInstruction one, AccessInstruction other) {
    Value array = one.target();
    Value index = one.index();
    Value otherArray = other.target();
    Value otherIndex = other.index();
    return one.isWrite() == other.isWrite()
        && array != null
        && index != null
        && otherArray != null
        && otherIndex != null
        && region.same(array) == region.same(otherArray)
        && region.polynomial(index).equals(region.polynomial(otherIndex));
  }

  private String addField(AccessInstruction access, Loop inner) {
    Value object = access.target();
    if (object == null || region.isInvariant(object, inner)) {
      Loop loop = inner;
      while (loop != outer
          && isTractable(parent(loop))
          && (object == null || region.isInvariant(object, parent(loop)))) {
        loop = parent(loop);
      }
      if (isTractable(loop)) {
        return atExits(access, loop, null, null, false, "once a loop");
      }
    }
    return "";
  }

  private String atExits(
      AccessInstruction access,
      Loop loop,
      @Nullable Moving moving,
      @Nullable LoopAccess row,
      boolean isColumn,
      String how) {
    LoopAccess planned = new LoopAccess(access, loop, moving, row, isColumn, temporaries);
    atExits.add(planned);
    if (access.instruction().getOpcode() == Opcodes.AALOAD) {
      loads.computeIfAbsent(region.same(result(access)), any -> new ArrayList<>()).add(planned);
    }
    return how;
  }

  private Value result(AccessInstruction access) {
    Frame<Value> after = values.frame(graph.next(access.node())[0]);
    return after.getStack(after.getStackSize() - 1);
  }

  /**
   * The access that loads the array as a row of another one: from a place that rests in the loop,
   * or from one that moves with it.
   */
  private @Nullable LoopAccess row(AccessInstruction access, Loop loop, boolean moves) {
    Value array = access.target();
    if (array == null) {
      return null;
    }
    for (LoopAccess row : loads.getOrDefault(region.same(array), List.of())) {
      boolean rowMoves = row.moving != null && row.loop == loop;
      if (rowMoves == moves
          && row.loop.contains(loop)
          && graph.dominates(row.access.node(), access.node())) {
        return row;
      }
    }
    return null;
  }

  private boolean rests(Value array, Value index, Loop loop) {
    return region.isInvariant(array, loop) && isInvariant(index, loop);
  }

  private boolean isInvariant(Value index, Loop loop) {
    return !region.polynomial(index).mentions(value -> !region.isInvariant(value, loop));
  }

  private static Loop parent(Loop loop) {
    Loop parent = loop.parent();
    if (parent == null) {
      throw new IllegalStateException("the outermost loop has no parent");
    }
    return parent;
  }

  private Optional<Motion> motion(Polynomial index, Loop loop) {
    return index.terms().keySet().stream()
        .flatMap(List::stream)
        .flatMap(value -> Motion.of(graph, values, loop, value).stream())
        .findFirst();
  }

  /** How the index moves in the loop; null if that is not known. */
  private @Nullable Moving moving(AccessInstruction access, Value index, Loop loop) {
    Polynomial whole = region.polynomial(index);
    Optional<Motion> motion = motion(whole, loop);
    if (motion.isEmpty()) {
      return null;
    }
    Value variable = motion.get().variable();
    Polynomial coefficient = whole.coefficient(variable);
    Polynomial rest = whole.without(variable);
    if (rest.mentions(other -> !region.isInvariant(other, loop))
        || coefficient.mentions(other -> !region.isInvariant(other, loop))
        || !keepAll(coefficient, access, loop)) {
      return null;
    }
    int[] places =
        variables.computeIfAbsent(
            new Variable(loop, variable),
            any -> new int[] {temporaries.newInt(), temporaries.newInt()});
    return new Moving(motion.get(), coefficient, rest, places[0], places[1]);
  }

  /** The access, if its array rests in the loop and it is known how its index moves. */
  @Nullable LoopAccess moving(AccessInstruction access, Loop loop) {
    Value array = access.target();
    Value index = access.index();
    if (array == null || index == null || !region.isInvariant(array, loop)) {
      return null;
    }
    Moving moving = moving(access, index, loop);
    return moving == null ? null : new LoopAccess(access, loop, moving, null, false, temporaries);
  }

  private boolean keepAll(Polynomial coefficient, AccessInstruction access, Loop loop) {
    return coefficient.terms().keySet().stream()
        .flatMap(List::stream)
        .allMatch(value -> keep(value, access, loop));
  }

  private boolean keep(Value value, AccessInstruction access, Loop loop) {
    if (keepBefore(value, loop)) {
      return true;
    }
    Variable key = new Variable(loop, value);
    if (value.kind == Value.Kind.RESULT
        && value.getSize() == 1
        && graph.dominates(value.node, access.node())) {
      int temporary = temporaries.newInt();
      kept.put(key, temporary);
      keptInside.add(new Kept(value.node, temporary));
      return true;
    }
    return false;
  }

  /** Keeps a value that a local variable holds when the loop is entered; false if none does. */
  boolean keepBefore(Value value, Loop loop) {
    Variable key = new Variable(loop, value);
    if (kept.containsKey(key)) {
      return true;
    }
    int slot = slot(value, loop);
    if (slot < 0) {
      return false;
    }
    int temporary = temporaries.newInt();
    kept.put(key, temporary);
    keptBefore.computeIfAbsent(loop, any -> new ArrayList<>()).add(new Kept(slot, temporary));
    return true;
  }

  /** The local variable that holds a value when the loop is entered, and is used in it; or -1. */
  int slot(Value value, Loop loop) {
    Frame<Value> frame = values.frame(loop.header());
    for (int node : loop.nodes()) {
      if (graph.instruction(node) instanceof VarInsnNode use
          && use.getOpcode() <= Opcodes.ALOAD
          && frame.getLocal(use.var) == value) {
        return use.var;
      }
    }
    return -1;
  }

  Values values() {
    return values;
  }

  /** Where the value is kept for the exits of the loop. */
  int kept(Value value, Loop loop) {
    Integer temporary = kept.get(new Variable(loop, value));
    if (temporary == null) {
      throw new IllegalStateException("not kept: " + value);
    }
    return temporary;
  }

  /** Whether code can be put on every way into the loop and out of it. */
  public boolean isTractable(Loop loop) {
    for (int from : graph.previous(loop.header())) {
      if (!graph.isNormal(from, loop.header())) {
        return false;
      }
    }
    for (int node = loop.header() + 1; graph.instruction(node).getOpcode() < 0; node++) {
      int label = node;
      if (loops.stream().anyMatch(other -> other.header() == label)) {
        return false;
      }
    }
    for (int node : loop.nodes()) {
      for (int handler : graph.handlers(node)) {
        if (!loop.contains(handler) && outer.contains(handler)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether code can be put on every way into the nest. */
  public boolean isTractable() {
    return isTractable(outer);
  }
}
