package org.reprise.anomaly.agent.instrument.loop;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * Fields to which a method adds whole numbers, and does nothing else with them: {@code count++},
 * {@code total += value}. Under one lock such steps give the same sum in whatever order they come.
 *
 * <p>A method that does anything else with the field, such as to return it, has none: of accesses
 * to one field in one block, a check may stand for the others.
 */
public final class Increments {
  private final Set<AbstractInsnNode> accesses = new HashSet<>();

  /** Where jumps lead to. */
  private final Set<AbstractInsnNode> targets = new HashSet<>();

  public Increments(MethodNode method) {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof JumpInsnNode jump) {
        targets.add(jump.label);
      } else if (instruction instanceof TableSwitchInsnNode choice) {
        targets.addAll(choice.labels);
        targets.add(choice.dflt);
      } else if (instruction instanceof LookupSwitchInsnNode choice) {
        targets.addAll(choice.labels);
        targets.add(choice.dflt);
      }
    }
    Map<String, Integer> counts = new HashMap<>();
    Map<String, Set<AbstractInsnNode>> found = new HashMap<>();
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof FieldInsnNode access) {
        counts.merge(key(access), 1, Integer::sum);
        FieldInsnNode stored = increment(access);
        if (stored != null) {
          found.computeIfAbsent(key(access), any -> new HashSet<>()).add(access);
          found.computeIfAbsent(key(access), any -> new HashSet<>()).add(stored);
        }
      }
    }
    found.forEach(
        (key, all) -> {
          if (counts.getOrDefault(key, 0) == all.size()) {
            accesses.addAll(all);
          }
        });
  }

  /** Whether the access is a part of an increment. */
  public boolean contains(AbstractInsnNode access) {
    return accesses.contains(access);
  }

  private static String key(FieldInsnNode access) {
    return access.name; // whichever class of a hierarchy it is named by
  }

  /** The store of what was read and added to; null if something else becomes of the value. */
  private @Nullable FieldInsnNode increment(FieldInsnNode read) {
    boolean isStatic = read.getOpcode() == Opcodes.GETSTATIC;
    AbstractInsnNode before = previous(read);
    boolean keepsObject = before != null && before.getOpcode() == Opcodes.DUP;
    if (!isStatic && !(read.getOpcode() == Opcodes.GETFIELD && keepsObject)) {
      return null;
    }
    AbstractInsnNode value = next(read);
    if (value == null || !isLoad(value.getOpcode())) {
      return null;
    }
    AbstractInsnNode sum = next(value);
    if (sum != null && sum.getOpcode() == Opcodes.I2L) {
      sum = next(sum);
    }
    AbstractInsnNode stored = sum != null && isSum(sum.getOpcode()) ? next(sum) : null;
    int opcode = isStatic ? Opcodes.PUTSTATIC : Opcodes.PUTFIELD;
    return stored instanceof FieldInsnNode store
            && store.getOpcode() == opcode
            && store.name.equals(read.name)
            && store.owner.equals(read.owner)
        ? store
        : null;
  }

  private static boolean isLoad(int opcode) {
    return (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.LCONST_1)
        || (opcode >= Opcodes.BIPUSH && opcode <= Opcodes.LLOAD);
  }

  private static boolean isSum(int opcode) {
    return opcode == Opcodes.IADD
        || opcode == Opcodes.LADD
        || opcode == Opcodes.ISUB
        || opcode == Opcodes.LSUB;
  }

  /** What is executed next, always; null where another way leads there, too. */
  private @Nullable AbstractInsnNode next(AbstractInsnNode instruction) {
    AbstractInsnNode next = instruction.getNext();
    while (next != null && next.getOpcode() < 0) {
      if (targets.contains(next)) {
        return null;
      }
      next = next.getNext();
    }
    return next;
  }

  private static @Nullable AbstractInsnNode previous(AbstractInsnNode instruction) {
    AbstractInsnNode previous = instruction.getPrevious();
    while (previous != null && previous.getOpcode() < 0) {
      previous = previous.getPrevious();
    }
    return previous;
  }
}
