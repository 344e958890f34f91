package org.reprise.anomaly.agent.instrument.loop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.program.Boundaries;

/**
 * Instructions of one method between which no block ends: a loop with all that is inside it, or a
 * whole method. References and ints that nothing in the region overwrites are one value however
 * often they are loaded in it; a write by another block at the same time would be an anomaly of its
 * own.
 */
public final class Region {
  private record Load(int opcode, Object from, Object what) {}

  private final Values values;
  private final IntPredicate contains;
  private final Set<String> storedFields = new HashSet<>();
  private boolean storesReferences;
  private boolean mayStoreInts;
  private boolean isOneBlock = true;
  private final Map<Load, Value> first = new HashMap<>();
  private final Map<Value, Value> same = new HashMap<>();

  public Region(FlowGraph graph, Values values, Boundaries boundaries, IntPredicate contains) {
    this.values = values;
    this.contains = contains;
    for (int node : graph.order()) {
      if (contains.test(node)) {
        include(graph.instruction(node), boundaries);
      }
    }
  }

  private void include(AbstractInsnNode instruction, Boundaries boundaries) {
    isOneBlock &= !boundaries.isBoundary(instruction);
    int opcode = instruction.getOpcode();
    if (opcode == Opcodes.AASTORE || isCopy(instruction)) {
      storesReferences = true;
    } else if (opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC) {
      storedFields.add(((FieldInsnNode) instruction).name);
    }
    mayStoreInts |= opcode == Opcodes.IASTORE || instruction instanceof MethodInsnNode;
    boundaries
        .summary(instruction)
        .ifPresent(
            summary -> {
              storesReferences |= summary.storesReferences();
              storedFields.addAll(summary.storedFields());
            });
  }

  private static boolean isCopy(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call
        && (call.name.equals("arraycopy")
            || (call.owner.equals("java/util/Arrays") && call.name.equals("fill")));
  }

  public boolean isOneBlock() {
    return isOneBlock;
  }

  boolean contains(int node) {
    return contains.test(node);
  }

  /** The first of all values of the region that are the same one. */
  public Value same(Value value) {
    Value found = same.get(value);
    if (found == null) {
      found = isRepeatable(value) ? first.computeIfAbsent(load(value), any -> value) : value;
      same.put(value, found);
    }
    return found;
  }

  /** Whether the value is a load whose source does not change in the region. */
  boolean isRepeatable(Value value) {
    if (value.kind != Value.Kind.RESULT || !contains.test(value.node)) {
      return false;
    }
    return switch (value.opcode()) {
      case Opcodes.AALOAD -> !storesReferences;
      case Opcodes.IALOAD -> !mayStoreInts;
      case Opcodes.GETFIELD, Opcodes.GETSTATIC ->
          value.instruction instanceof FieldInsnNode field && !storedFields.contains(field.name);
      case Opcodes.ARRAYLENGTH -> true;
      default -> false;
    };
  }

  private Load load(Value value) {
    return switch (value.opcode()) {
      case Opcodes.AALOAD, Opcodes.IALOAD ->
          new Load(
              value.opcode(),
              same(values.operand(value.node, 1)),
              polynomial(values.operand(value.node, 0)));
      case Opcodes.ARRAYLENGTH ->
          new Load(Opcodes.ARRAYLENGTH, same(values.operand(value.node, 0)), "");
      case Opcodes.GETFIELD ->
          new Load(Opcodes.GETFIELD, same(values.operand(value.node, 0)), field(value));
      default -> new Load(Opcodes.GETSTATIC, "", field(value));
    };
  }

  private static String field(Value value) {
    return value.instruction instanceof FieldInsnNode field ? field.owner + "." + field.name : "";
  }

  /** The int as a polynomial in which equal loads are one value. */
  public Polynomial polynomial(Value value) {
    return Polynomial.of(value).map(this::same);
  }

  /** Whether the value is the same in all iterations of a loop of the region. */
  boolean isInvariant(Value value, Loop loop) {
    return switch (value.kind) {
      case CONSTANT, ENTRY -> true;
      case MERGE -> !loop.contains(value.node);
      case OPERATION ->
          value.left != null
              && value.right != null
              && isInvariant(value.left, loop)
              && isInvariant(value.right, loop);
      case RESULT ->
          !loop.contains(value.node)
              || (isRepeatable(value)
                  && sources(value).stream().allMatch(source -> isInvariant(source, loop)));
      case UNSET -> false;
    };
  }

  /** What the value of a repeatable load depends on. */
  List<Value> sources(Value value) {
    return isRepeatable(value) ? values.operands(value.node) : List.of();
  }

  /** Whether an equal value means the same only as long as control stays in the region. */
  boolean dependsOnRegion(Value value) {
    return isRepeatable(value)
        || (value.left != null && dependsOnRegion(value.left))
        || (value.right != null && dependsOnRegion(value.right));
  }

  /** The nodes at which the value may change, as long as control stays in the region. */
  List<Integer> changes(Value value) {
    List<Integer> nodes = new ArrayList<>();
    addChanges(value, nodes);
    return nodes;
  }

  private void addChanges(Value value, List<Integer> nodes) {
    switch (value.kind) {
      case MERGE -> nodes.add(value.node);
      case OPERATION -> {
        if (value.left != null && value.right != null) {
          addChanges(value.left, nodes);
          addChanges(value.right, nodes);
        }
      }
      case RESULT -> {
        if (isRepeatable(value)) {
          sources(value).forEach(source -> addChanges(source, nodes));
        } else {
          nodes.add(value.node);
        }
      }
      default -> {}
    }
  }
}
