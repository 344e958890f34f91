package org.reprise.anomaly.agent.instrument.program;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Constructors that hand {@code this} to others before they have set all final fields. Whoever gets
 * it so early may find them not set yet, final or not (Java Language Specification, 17.5).
 */
final class EarlyThis {
  private EarlyThis() {}

  /** Whether a constructor of the class does so, as far as it is plain to see. */
  static boolean isGivenAway(ClassNode type) {
    return type.methods.stream()
        .anyMatch(method -> method.name.equals("<init>") && givesAway(type, method));
  }

  private static boolean givesAway(ClassNode type, MethodNode constructor) {
    AbstractInsnNode last = constructor.instructions.getLast();
    while (last != null && !setsFinal(type, last)) {
      last = last.getPrevious();
    }
    OperandNames names = null;
    for (AbstractInsnNode at = last; at != null; at = at.getPrevious()) {
      int values = valuesGiven(at);
      if (values > 0 && names == null) {
        names = OperandNames.of(type.name, constructor);
      }
      for (int depth = 0; names != null && depth < values; depth++) {
        if (names.operand(at, depth).equals("this")) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean setsFinal(ClassNode type, AbstractInsnNode instruction) {
    return instruction instanceof FieldInsnNode set
        && set.getOpcode() == Opcodes.PUTFIELD
        && set.owner.equals(type.name)
        && type.fields.stream()
            .anyMatch(
                field -> field.name.equals(set.name) && (field.access & Opcodes.ACC_FINAL) != 0);
  }

  /** How many of the values on top of the stack the instruction hands to others. */
  private static int valuesGiven(AbstractInsnNode instruction) {
    return switch (instruction.getOpcode()) {
      case Opcodes.PUTSTATIC, Opcodes.PUTFIELD ->
          ((FieldInsnNode) instruction).desc.startsWith("L") ? 1 : 0;
      case Opcodes.AASTORE -> 1;
      case Opcodes.INVOKEVIRTUAL, Opcodes.INVOKEINTERFACE, Opcodes.INVOKESTATIC ->
          Type.getArgumentTypes(((MethodInsnNode) instruction).desc).length;
      default -> 0;
    };
  }
}
