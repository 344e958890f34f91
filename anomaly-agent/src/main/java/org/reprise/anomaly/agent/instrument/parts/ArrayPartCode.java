package org.reprise.anomaly.agent.instrument.parts;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.HookCode;
import org.reprise.anomaly.agent.instrument.flow.Linear;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.program.Sites;

/**
 * What stands before a method that works on a part of its arrays: if it is called with one, the
 * part is reported and the method as it was written is called; else its checks follow. That it will
 * access all of the part is said before it does, which is wrong only if it runs out of stack.
 */
public final class ArrayPartCode {
  private final ArrayPart part;
  private final InsnList code = new InsnList();
  private final LabelNode otherwise = new LabelNode();

  private ArrayPartCode(ArrayPart part) {
    this.part = part;
  }

  public static InsnList of(ClassNode owner, ArrayPart part, HookCode hooks, Sites sites) {
    ArrayPartCode made = new ArrayPartCode(part);
    made.test();
    made.report(hooks, sites);
    ArrayParts.call(owner, part.method(), ArrayParts.plain(part.method().name), made.code);
    made.otherwise(owner);
    return made.code;
  }

  private void test() {
    for (int array : part.arrays().keySet()) {
      code.add(new VarInsnNode(Opcodes.ALOAD, array));
      code.add(new JumpInsnNode(Opcodes.IFNULL, otherwise));
    }
    List<Linear> conditions = new ArrayList<>(part.conditions());
    conditions.addAll(part.conditionsOfAll());
    for (Linear condition : conditions) {
      sum(condition);
      test(Opcodes.IFLT, 0);
    }
    for (int array : part.arrays().keySet()) {
      sum(part.end());
      code.add(new VarInsnNode(Opcodes.ALOAD, array));
      code.add(new InsnNode(Opcodes.ARRAYLENGTH));
      code.add(new InsnNode(Opcodes.I2L));
      code.add(new InsnNode(Opcodes.LCMP));
      code.add(new JumpInsnNode(Opcodes.IFGT, otherwise));
    }
  }

  private void test(int opcode, long limit) {
    code.add(new LdcInsnNode(limit));
    code.add(new InsnNode(Opcodes.LCMP));
    code.add(new JumpInsnNode(opcode, otherwise));
  }

  /** Computes a sum of parameters as a long, so that it does not wrap around. */
  private void sum(Linear sum) {
    code.add(new LdcInsnNode(sum.constant()));
    for (Map.Entry<Value, Long> term : sum.terms().entrySet()) {
      code.add(new VarInsnNode(Opcodes.ILOAD, term.getKey().number));
      code.add(new InsnNode(Opcodes.I2L));
      code.add(new LdcInsnNode(term.getValue()));
      code.add(new InsnNode(Opcodes.LMUL));
      code.add(new InsnNode(Opcodes.LADD));
    }
  }

  private void report(HookCode hooks, Sites sites) {
    part.sites()
        .forEach(
            (array, site) -> {
              code.add(new VarInsnNode(Opcodes.ALOAD, array));
              sum(part.low());
              code.add(new InsnNode(Opcodes.L2I));
              sum(part.end());
              code.add(new InsnNode(Opcodes.L2I));
              code.add(new InsnNode(Opcodes.ICONST_1));
              boolean isWritten = part.arrays().getOrDefault(array, false);
              String hook = isWritten ? "writeRange" : "readRange";
              hooks.add(code, hook, L_OBJECT + "III", sites.add(site));
            });
  }

  private void otherwise(ClassNode owner) {
    code.add(otherwise);
    code.add(ArrayParts.frame(owner, part.method()));
    // Two frames in one place are not allowed, and the method may begin with one.
    code.add(new InsnNode(Opcodes.NOP));
  }
}
