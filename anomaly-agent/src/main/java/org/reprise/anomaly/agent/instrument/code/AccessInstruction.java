package org.reprise.anomaly.agent.instrument.code;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;

/**
 * An instruction that reads or writes a field or an element of an array.
 *
 * @param target the array or the object; null for a static field
 * @param index null for fields
 */
public record AccessInstruction(
    int node,
    AbstractInsnNode instruction,
    boolean isWrite,
    @Nullable Value target,
    @Nullable Value index) {

  public static boolean isElement(int opcode) {
    return (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD)
        || (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE);
  }

  static boolean isField(int opcode) {
    return opcode >= Opcodes.GETSTATIC && opcode <= Opcodes.PUTFIELD;
  }

  /** The access that a node is; null if it is none. */
  public static @Nullable AccessInstruction of(FlowGraph graph, Values values, int node) {
    AbstractInsnNode instruction = graph.instruction(node);
    int opcode = instruction.getOpcode();
    if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) {
      return new AccessInstruction(
          node, instruction, false, values.operand(node, 1), values.operand(node, 0));
    }
    if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
      return new AccessInstruction(
          node, instruction, true, values.operand(node, 2), values.operand(node, 1));
    }
    return switch (opcode) {
      case Opcodes.GETFIELD ->
          new AccessInstruction(node, instruction, false, values.operand(node, 0), null);
      case Opcodes.PUTFIELD ->
          new AccessInstruction(node, instruction, true, values.operand(node, 1), null);
      case Opcodes.GETSTATIC -> new AccessInstruction(node, instruction, false, null, null);
      case Opcodes.PUTSTATIC -> new AccessInstruction(node, instruction, true, null, null);
      default -> null;
    };
  }

  public boolean isElement() {
    return index != null;
  }

  /** The field by the class that the instruction names, and its name; empty for elements. */
  public String field() {
    return instruction instanceof FieldInsnNode field ? field.owner + "." + field.name : "";
  }
}
