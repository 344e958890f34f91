package org.reprise.anomaly.agent.instrument.program;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;

/**
 * Objects and arrays that a method creates and nobody else ever sees. Their accesses are all made
 * by one activation of the method, one after the other, so none of them is concurrent with another.
 */
public final class LocalObjects {
  private final FlowGraph graph;
  private final Values values;
  private final Summaries summaries;
  private final @Nullable ClassLoader loader;
  private final Set<Value> candidates = new HashSet<>();

  public LocalObjects(
      FlowGraph graph, Values values, Summaries summaries, @Nullable ClassLoader loader) {
    this.graph = graph;
    this.values = values;
    this.summaries = summaries;
    this.loader = loader;
  }

  /** The values that are such objects. */
  public Set<Value> find() {
    for (int node : graph.order()) {
      int opcode = graph.instruction(node).getOpcode();
      if (opcode == Opcodes.NEW
          || opcode == Opcodes.NEWARRAY
          || opcode == Opcodes.ANEWARRAY
          || opcode == Opcodes.MULTIANEWARRAY) {
        candidates.add(result(node));
      }
    }
    addRows();
    if (candidates.isEmpty()) {
      return candidates;
    }
    for (Value merge : values.usedMerges()) {
      candidates.removeAll(values.inputs(merge));
    }
    for (int node : graph.order()) {
      giveAway(node);
    }
    removeRowsOfOthers();
    return candidates;
  }

  /** Rows of an array of arrays belong to it as long as it is filled by its creation only. */
  private void addRows() {
    for (int node : graph.order()) {
      if (graph.instruction(node).getOpcode() == Opcodes.AALOAD
          && values.operand(node, 1).opcode() == Opcodes.MULTIANEWARRAY) {
        candidates.add(result(node));
      }
    }
  }

  private void removeRowsOfOthers() {
    Set<Value> filled = new HashSet<>();
    for (int node : graph.order()) {
      if (graph.instruction(node).getOpcode() == Opcodes.AASTORE) {
        filled.add(values.operand(node, 2));
      }
    }
    // A row that is given away takes the array with it only as far as that row goes.
    candidates.removeIf(
        value -> {
          if (value.opcode() != Opcodes.AALOAD) {
            return false;
          }
          Value whole = values.operand(value.node, 1);
          return !candidates.contains(whole) || filled.contains(whole) || isRowGivenAway(whole);
        });
  }

  private boolean isRowGivenAway(Value whole) {
    for (int node : graph.order()) {
      if (graph.instruction(node).getOpcode() == Opcodes.AALOAD
          && values.operand(node, 1) == whole
          && !candidates.contains(result(node))) {
        return true;
      }
    }
    return false;
  }

  private Value result(int node) {
    org.objectweb.asm.tree.analysis.Frame<Value> after = values.frame(graph.next(node)[0]);
    return after.getStack(after.getStackSize() - 1);
  }

  private void giveAway(int node) {
    AbstractInsnNode instruction = graph.instruction(node);
    switch (instruction.getOpcode()) {
      case Opcodes.AASTORE, Opcodes.PUTFIELD, Opcodes.PUTSTATIC, Opcodes.ARETURN, Opcodes.ATHROW ->
          candidates.remove(values.operand(node, 0));
      case Opcodes.INVOKEDYNAMIC -> candidates.removeAll(values.operands(node));
      case Opcodes.INVOKEVIRTUAL,
          Opcodes.INVOKEINTERFACE,
          Opcodes.INVOKESPECIAL,
          Opcodes.INVOKESTATIC -> {
        MethodInsnNode call = (MethodInsnNode) instruction;
        if (call.owner.equals("java/lang/System") && call.name.equals("arraycopy")) {
          return;
        }
        boolean constructs =
            call.name.equals("<init>") && summaries.keepsThisToItself(loader, call);
        for (int i = constructs ? 1 : 0; i < values.operands(node).size(); i++) {
          candidates.remove(values.operands(node).get(i));
        }
      }
      default -> {}
    }
  }
}
