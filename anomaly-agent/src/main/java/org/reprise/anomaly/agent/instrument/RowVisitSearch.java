package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.reprise.anomaly.agent.instrument.RowVisit.Stop;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.loop.ConstantArrays;
import org.reprise.anomaly.agent.instrument.loop.Counter;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;

/**
 * Finds out whether a method is a {@link RowVisit}. Its loops count from constant to constant, so
 * the places that it looks at in a row are computed rather than bounded: for each value of the
 * counters one. What it throws, if the row or an array is not as it should be, is left to the
 * method with its checks, which is called then: nobody has to know how far such a call came.
 */
final class RowVisitSearch {
  /** Loops that count further, and nests that do, are not visits of short rows. */
  private static final int PLACES_MAX = 1024;

  private final MethodNode method;
  private final FlowGraph graph;
  private final Values values;
  private final CheckedFields fields;
  private final ConstantArrays constants;
  private final MethodPlan plan;
  private final List<Loop> loops;
  private final Map<Value, Counter> counters = new HashMap<>();
  private final Map<Counter, List<Integer>> counts = new HashMap<>();
  private final Map<String, FieldInsnNode> indexed = new LinkedHashMap<>();
  private final Map<String, FieldInsnNode> holders = new LinkedHashMap<>();
  private final Map<String, Integer> held = new LinkedHashMap<>();
  private final List<Stop> stops = new ArrayList<>();
  private @Nullable FieldInsnNode rows;
  private int parameter = -1;
  private int low = Integer.MAX_VALUE;
  private int high;

  private RowVisitSearch(
      MethodNode method, CheckedFields fields, ConstantArrays constants, MethodPlan plan)
      throws AnalyzerException {
    this.method = method;
    this.graph = new FlowGraph(method);
    this.values = new Values(method, graph);
    this.fields = fields;
    this.constants = constants;
    this.plan = plan;
    this.loops = Loop.of(graph);
  }

  /** Whether it is worth while to plan the method and to look at it. */
  static boolean isCandidate(ClassNode owner, MethodNode method) {
    boolean isFixed =
        ((method.access | owner.access) & Opcodes.ACC_FINAL) != 0
            || (method.access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) != 0;
    int never = Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE;
    if (!isFixed
        || (method.access & never) != 0
        || method.name.startsWith("<")
        || !method.tryCatchBlocks.isEmpty()) {
      return false;
    }
    boolean loadsRow = false;
    boolean loadsIndex = false;
    for (AbstractInsnNode instruction : method.instructions) {
      loadsRow |= instruction.getOpcode() == Opcodes.AALOAD;
      loadsIndex |= instruction.getOpcode() == Opcodes.IALOAD;
      if (instruction instanceof MethodInsnNode call && !isFunction(call)) {
        return false;
      }
    }
    return loadsRow && loadsIndex;
  }

  /** The visit that a candidate is; the method is as it was written, and planned. */
  static Optional<RowVisit> of(
      MethodNode method, CheckedFields fields, ConstantArrays constants, MethodPlan plan) {
    try {
      return new RowVisitSearch(method, fields, constants, plan).find();
    } catch (AnalyzerException e) {
      return Optional.empty();
    }
  }

  private Optional<RowVisit> find() {
    for (Loop loop : loops) {
      Optional<Counter> counter = Counter.of(graph, values, loop);
      List<Integer> count = counter.map(found -> found.constants(PLACES_MAX)).orElse(null);
      if (counter.isEmpty() || count == null || count.isEmpty()) {
        return Optional.empty();
      }
      counters.put(counter.get().variable(), counter.get());
      counts.put(counter.get(), count);
    }
    for (int node : graph.order()) {
      if (!add(node)) {
        return Optional.empty();
      }
    }
    FieldInsnNode found = rows;
    if (found == null || stops.isEmpty()) {
      return Optional.empty();
    }
    Map<FieldInsnNode, Integer> lengths = new LinkedHashMap<>();
    holders.forEach((key, field) -> lengths.put(field, held.getOrDefault(key, 0)));
    return Optional.of(
        new RowVisit(
            method,
            parameter,
            found,
            low,
            high,
            List.copyOf(indexed.values()),
            lengths,
            stops,
            plan));
  }

  /**
   * Adds what an instruction accesses; false if it may throw though the row and the arrays are as
   * they should be.
   */
  private boolean add(int node) {
    AbstractInsnNode instruction = graph.instruction(node);
    int opcode = instruction.getOpcode();
    return switch (opcode) {
      case Opcodes.IDIV, Opcodes.IREM -> isDivisor(values.operand(node, 0));
      case Opcodes.LDC -> ((LdcInsnNode) instruction).cst instanceof Number;
      case Opcodes.GETFIELD, Opcodes.GETSTATIC -> field(values.result(node)) != null;
      case Opcodes.NEWARRAY -> length(values.result(node)) >= 0;
      case Opcodes.INVOKESTATIC -> isFunction((MethodInsnNode) instruction);
      default -> {
        AccessInstruction access = AccessInstruction.of(graph, values, node);
        yield access == null ? !FlowGraph.mayThrow(opcode) : add(access);
      }
    };
  }

  static boolean isDivisor(Value value) {
    return value.kind == Value.Kind.CONSTANT && value.number != 0;
  }

  /** Whether the call computes a number, and nothing else: it throws nothing. */
  static boolean isFunction(MethodInsnNode call) {
    return call.getOpcode() == Opcodes.INVOKESTATIC
        && call.owner.equals("java/lang/Math")
        && !call.name.equals("random")
        && !call.name.equals("clamp")
        && (call.desc.endsWith(")D") || call.desc.endsWith(")F"));
  }

  private boolean add(AccessInstruction access) {
    Value array = access.target();
    Value index = access.index();
    if (array == null || index == null || access.instruction().getOpcode() == Opcodes.AASTORE) {
      return false;
    }
    boolean isDropped = plan.isDropped(access.instruction());
    FieldInsnNode field = field(array);
    if (access.instruction().getOpcode() == Opcodes.AALOAD) {
      return isDropped
          && field != null
          && addRow(field, index)
          && constants.isLasting(values, array)
          && constants.isLasting(values, values.result(access.node()));
    }
    if (field != null && isOfRow(index)) {
      indexed.put(key(field), field);
      return isDropped || addStop(access, field, index);
    }
    SortedSet<Integer> places = places(index, access.node());
    if (!isDropped || places == null || places.first() < 0) {
      return false;
    }
    int end = places.last() + 1;
    if (isRow(array)) {
      low = Math.min(low, places.first());
      high = Math.max(high, end);
      return true;
    }
    if (field != null) {
      holders.putIfAbsent(key(field), field);
      held.merge(key(field), end, Math::max);
      return true;
    }
    return end <= length(array);
  }

  /**
   * A final field of this object or of a class that is initialised, if a value is loaded from it.
   */
  private @Nullable FieldInsnNode field(Value value) {
    if (!(value.instruction instanceof FieldInsnNode field) || value.kind != Value.Kind.RESULT) {
      return null;
    }
    boolean isOwn =
        value.opcode() == Opcodes.GETFIELD
            ? isThis(values.operand(value.node, 0))
            : value.opcode() == Opcodes.GETSTATIC;
    return isOwn && fields.isOwnConstant(field) ? field : null;
  }

  private boolean isThis(Value object) {
    return object.kind == Value.Kind.ENTRY
        && object.number == 0
        && (method.access & Opcodes.ACC_STATIC) == 0;
  }

  static String key(FieldInsnNode field) {
    return field.owner + "." + field.name;
  }

  /** How long a new array is; -1 if that is not known, or if it is none. */
  private int length(Value array) {
    Value count = array.opcode() == Opcodes.NEWARRAY ? values.operand(array.node, 0) : null;
    return count != null && count.kind == Value.Kind.CONSTANT ? count.number : -1;
  }

  /** The first row that is loaded is the one that the method visits; false for any other. */
  private boolean addRow(FieldInsnNode field, Value number) {
    boolean isPossible =
        number.kind == Value.Kind.ENTRY && isInt(number.number) && field.desc.equals("[[I");
    if (rows == null && isPossible) {
      rows = field;
      parameter = number.number;
    }
    return isRow(field, number);
  }

  private boolean isRow(FieldInsnNode field, Value number) {
    return rows != null
        && number.kind == Value.Kind.ENTRY
        && number.number == parameter
        && field.desc.equals(rows.desc)
        && key(field).equals(key(rows));
  }

  private boolean isInt(int local) {
    int at = (method.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
    for (Type type : Type.getArgumentTypes(method.desc)) {
      if (at == local) {
        return type.getSort() == Type.INT;
      }
      at += type.getSize();
    }
    return false;
  }

  private boolean isRow(Value array) {
    FieldInsnNode field =
        array.opcode() == Opcodes.AALOAD ? field(values.operand(array.node, 1)) : null;
    return field != null && isRow(field, values.operand(array.node, 0));
  }

  private boolean isOfRow(Value index) {
    return index.opcode() == Opcodes.IALOAD && isRow(values.operand(index.node, 1));
  }

  private boolean addStop(AccessInstruction access, FieldInsnNode field, Value index) {
    SortedSet<Integer> places = places(values.operand(index.node, 0), index.node);
    if (places == null || !isAlwaysReached(access.node())) {
      return false;
    }
    List<Integer> all = List.copyOf(places);
    int stride = all.size() == 1 ? 1 : all.get(1) - all.get(0);
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i) != all.get(0) + i * stride) {
        return false;
      }
    }
    int to = all.get(0) + all.size() * stride;
    stops.add(new Stop(access.instruction(), access.isWrite(), field, all.get(0), to, stride));
    return true;
  }

  /** Whether a node is executed for each value of the counters around it. */
  private boolean isAlwaysReached(int node) {
    int reached = node;
    // Inner loops come first.
    for (Loop loop : loops) {
      if (loop.contains(node)) {
        if (!loop.isInEveryIteration(graph, reached)) {
          return false;
        }
        reached = loop.header();
      }
    }
    for (int end : graph.order()) {
      int opcode = graph.instruction(end).getOpcode();
      if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN && !graph.dominates(reached, end)) {
        return false;
      }
    }
    return true;
  }

  /** All that an int may be at a node, where it follows from counters alone; else null. */
  private @Nullable SortedSet<Integer> places(Value value, int node) {
    List<Counter> used = new ArrayList<>();
    if (!findCounters(value, node, used)) {
      return null;
    }
    long size = 1;
    for (Counter counter : used) {
      size *= counts.getOrDefault(counter, List.of()).size();
      if (size > PLACES_MAX) {
        return null;
      }
    }
    SortedSet<Integer> found = new TreeSet<>();
    addPlaces(value, used, new HashMap<>(), found);
    return found;
  }

  private void addPlaces(
      Value value, List<Counter> open, Map<Value, Integer> known, SortedSet<Integer> found) {
    if (open.isEmpty()) {
      found.add(compute(value, known));
      return;
    }
    Counter counter = open.get(0);
    for (int count : counts.getOrDefault(counter, List.of())) {
      known.put(counter.variable(), count);
      addPlaces(value, open.subList(1, open.size()), known, found);
    }
  }

  /** Adds the counters that a value depends on; false if it depends on anything else. */
  private boolean findCounters(Value value, int node, List<Counter> used) {
    return switch (value.kind) {
      case CONSTANT -> true;
      case MERGE -> {
        Counter counter = counters.get(value);
        if (counter != null && !used.contains(counter)) {
          used.add(counter);
        }
        yield counter != null && counter.isInside(graph, node);
      }
      case OPERATION ->
          value.left != null
              && value.right != null
              && findCounters(value.left, node, used)
              && findCounters(value.right, node, used);
      case RESULT ->
          switch (value.opcode()) {
            case Opcodes.IREM, Opcodes.IDIV ->
                isDivisor(values.operand(value.node, 0))
                    && findCounters(values.operand(value.node, 1), value.node, used)
                    && findCounters(values.operand(value.node, 1), node, used);
            default -> false;
          };
      case ENTRY, UNSET -> false;
    };
  }

  /** As the program computes it. */
  private int compute(Value value, Map<Value, Integer> known) {
    if (value.kind == Value.Kind.CONSTANT) {
      return value.number;
    }
    Integer counted = known.get(value);
    if (counted != null) {
      return counted;
    }
    if (value.kind == Value.Kind.RESULT) {
      int divisor = values.operand(value.node, 0).number;
      int number = compute(values.operand(value.node, 1), known);
      return value.opcode() == Opcodes.IREM ? number % divisor : number / divisor;
    }
    if (value.left == null || value.right == null) {
      throw new IllegalStateException("not computed from counters: " + value);
    }
    int left = compute(value.left, known);
    int right = compute(value.right, known);
    return switch (value.number) {
      case Opcodes.IADD -> left + right;
      case Opcodes.ISUB -> left - right;
      default -> left * right;
    };
  }
}
