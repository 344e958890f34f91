package org.reprise.anomaly.agent.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * What a stream does for each element reports itself only where it keeps the elements' order:
 * {@code forEach} gets a copy of the method as it was, before the one that reports.
 *
 * <p>Hot path: once per iteration. Benchmarks: {@code bench/anomalies}.
 */
final class OrderedActions {
  private static final String OPERATION = "java/util/stream/ForEachOps$ForEachOp";

  private final String owner;
  private final MethodNode method;
  private final InsnList original = new InsnList();
  private boolean isPlain;

  /** To be made before the method is changed. */
  OrderedActions(String owner, MethodNode method) {
    this.owner = owner;
    this.method = method;
    this.isPlain = knowsOrder() && method.tryCatchBlocks.isEmpty();
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof JumpInsnNode) {
        isPlain = false;
        return;
      }
      if (instruction.getOpcode() >= 0) {
        original.add(instruction.clone(Map.of()));
      }
    }
  }

  private static boolean knowsOrder() {
    try {
      Class<?> operation = Class.forName(OPERATION.replace('/', '.'));
      return operation.getDeclaredField("ordered").getType() == boolean.class;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** To be called when the method has been changed. */
  void insert() {
    if (!isPlain) {
      return;
    }
    LabelNode reporting = new LabelNode();
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(new FieldInsnNode(Opcodes.GETFIELD, OPERATION, "ordered", "Z"));
    code.add(new JumpInsnNode(Opcodes.IFNE, reporting));
    code.add(original);
    code.add(reporting);
    List<Object> locals = new ArrayList<>(List.of(owner));
    for (Type type : Type.getArgumentTypes(method.desc)) {
      locals.add(
          switch (type.getSort()) {
            case Type.LONG -> Opcodes.LONG;
            case Type.DOUBLE -> Opcodes.DOUBLE;
            case Type.OBJECT -> type.getInternalName();
            default -> Opcodes.INTEGER;
          });
    }
    code.add(new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 0, new Object[0]));
    method.instructions.insert(code);
  }
}
