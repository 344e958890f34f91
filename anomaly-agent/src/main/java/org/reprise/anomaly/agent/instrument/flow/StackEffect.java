package org.reprise.anomaly.agent.instrument.flow;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;

/**
 * How many values an instruction takes from the operand stack; one that takes two places is one.
 */
final class StackEffect {
  private StackEffect() {}

  static int taken(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    if (instruction instanceof MethodInsnNode call) {
      return Type.getArgumentTypes(call.desc).length + (opcode == Opcodes.INVOKESTATIC ? 0 : 1);
    }
    if (instruction instanceof InvokeDynamicInsnNode call) {
      return Type.getArgumentTypes(call.desc).length;
    }
    if (instruction instanceof MultiANewArrayInsnNode array) {
      return array.dims;
    }
    if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) {
      return 2;
    }
    if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
      return 3;
    }
    if (opcode >= Opcodes.IADD && opcode <= Opcodes.LXOR) {
      return opcode >= Opcodes.INEG && opcode <= Opcodes.DNEG ? 1 : 2;
    }
    if (opcode >= Opcodes.LCMP && opcode <= Opcodes.DCMPG) {
      return 2;
    }
    if (opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ACMPNE) {
      return 2;
    }
    return switch (opcode) {
      case Opcodes.GETSTATIC,
          Opcodes.NEW,
          Opcodes.GOTO,
          Opcodes.RETURN,
          Opcodes.LDC,
          Opcodes.BIPUSH,
          Opcodes.SIPUSH ->
          0;
      case Opcodes.PUTFIELD -> 2;
      default -> opcode <= Opcodes.DCONST_1 ? 0 : 1;
    };
  }
}
