package org.reprise.anomaly.agent.instrument.loop;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Loops that do nothing but wait until a volatile field or an atomic variable has the right value.
 * Who leaves one is after the write that ended it, on every schedule; asking once is not waiting.
 */
public final class Spins {
  private static final Set<String> PAUSES = Set.of("onSpinWait", "yield", "sleep");
  private static final Set<String> READS = Set.of("get", "getAcquire", "getOpaque", "getPlain");

  private final Set<AbstractInsnNode> reads = new HashSet<>();

  public Spins(MethodNode method, Predicate<FieldInsnNode> isVolatile) {
    InsnList code = method.instructions;
    for (AbstractInsnNode instruction : code) {
      if (instruction instanceof JumpInsnNode jump
          && code.indexOf(jump.label) < code.indexOf(jump)) {
        AbstractInsnNode read = onlyRead(jump.label, jump, isVolatile);
        if (read != null) {
          reads.add(read);
        }
      }
    }
  }

  /** Whether the instruction reads what a loop waits for. */
  public boolean contains(AbstractInsnNode instruction) {
    return reads.contains(instruction);
  }

  /** The one volatile read of a loop that does nothing else; null if it does, or reads several. */
  private static @Nullable AbstractInsnNode onlyRead(
      AbstractInsnNode first, AbstractInsnNode last, Predicate<FieldInsnNode> isVolatile) {
    AbstractInsnNode found = null;
    for (AbstractInsnNode at = first; at != null; at = at.getNext()) {
      boolean isRead =
          at instanceof MethodInsnNode call
              ? isAtomicRead(call)
              : at instanceof FieldInsnNode field && isVolatile.test(field);
      if (!isIdle(at) && !isRead) {
        return null;
      }
      if (isRead) {
        if (found != null
            || at.getOpcode() == Opcodes.PUTFIELD
            || at.getOpcode() == Opcodes.PUTSTATIC) {
          return null;
        }
        found = at;
      }
      if (at == last) {
        return found;
      }
    }
    return null;
  }

  private static boolean isAtomicRead(MethodInsnNode call) {
    return call.owner.startsWith("java/util/concurrent/atomic/Atomic")
        && !call.owner.endsWith("Array")
        && READS.contains(call.name)
        && call.desc.startsWith("()");
  }

  /** Whether the instruction changes nothing but the operand stack. */
  private static boolean isIdle(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    if (instruction instanceof MethodInsnNode call) {
      return call.owner.equals("java/lang/Thread") && PAUSES.contains(call.name)
          || call.owner.startsWith("java/lang/") && call.name.endsWith("Value");
    }
    return opcode < 0
        || opcode <= Opcodes.ALOAD
        || (opcode >= Opcodes.POP && opcode <= Opcodes.LXOR)
        || (opcode >= Opcodes.I2L && opcode <= Opcodes.GOTO)
        || opcode == Opcodes.GETFIELD
        || opcode == Opcodes.GETSTATIC
        || opcode == Opcodes.CHECKCAST
        || opcode == Opcodes.IFNULL
        || opcode == Opcodes.IFNONNULL;
  }
}
