package org.reprise.anomaly.agent.instrument.code;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_CONTEXT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_PLACE;
import static org.reprise.anomaly.agent.instrument.code.HookNames.hook;

import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Calls of hooks in one method: the local variable with the context, and others that they take. */
public final class HookCode {
  private static final Handle SHADOW_PLACE =
      new Handle(
          Opcodes.H_INVOKESTATIC,
          HookNames.SHADOWS,
          "place",
          "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;"
              + "Ljava/lang/Class;)"
              + L_PLACE,
          false);

  /** The local variable that holds the context. */
  public final int context;

  private final boolean hasDynamicConstants;
  private int locals;

  public HookCode(int classVersion, int context, int locals) {
    this.hasDynamicConstants = (classVersion & 0xFFFF) >= Opcodes.V11;
    this.context = context;
    this.locals = locals;
  }

  /** How many local variables the method has by now. */
  public int locals() {
    return locals;
  }

  /** A new local variable of one slot or two. */
  public int local(int size) {
    locals += size;
    return locals - size;
  }

  /** Gets the context at the method's entry. */
  public InsnList entry() {
    InsnList code = new InsnList();
    code.add(hook("context", "()" + L_CONTEXT));
    code.add(new VarInsnNode(Opcodes.ASTORE, context));
    return code;
  }

  /** A hook that takes operands and the context, and no site. */
  public void add(InsnList code, String name, String operands) {
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook(name, "(" + operands + L_CONTEXT + ")V"));
  }

  /** A hook that takes operands and the context, and answers. */
  public void ask(InsnList code, String name, String operands, String answer) {
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook(name, "(" + operands + L_CONTEXT + ")" + answer));
  }

  public void add(InsnList code, String name, String operands, int site) {
    code.add(new LdcInsnNode(site));
    add(code, name, operands + "I");
  }

  public void add(InsnList code, String name, String operands, int variable, int site) {
    code.add(new LdcInsnNode(variable));
    add(code, name, operands + "I", site);
  }

  /** Where objects of the class hold their shadows: a constant, once the class is loaded. */
  public AbstractInsnNode shadowPlace(String owner) {
    return hasDynamicConstants
        ? new LdcInsnNode(
            new ConstantDynamic("place", L_PLACE, SHADOW_PLACE, Type.getObjectType(owner)))
        : new InsnNode(Opcodes.ACONST_NULL);
  }

  /** Stores the arguments of a call, last first, in locals of their own. */
  public int[] save(MethodInsnNode call, InsnList code) {
    Type[] types = Type.getArgumentTypes(call.desc);
    int[] saved = new int[types.length];
    for (int i = types.length - 1; i >= 0; i--) {
      saved[i] = local(types[i].getSize());
      code.add(new VarInsnNode(types[i].getOpcode(Opcodes.ISTORE), saved[i]));
    }
    return saved;
  }

  public static void restore(MethodInsnNode call, int[] saved, InsnList code) {
    Type[] types = Type.getArgumentTypes(call.desc);
    for (int i = 0; i < types.length; i++) {
      code.add(new VarInsnNode(types[i].getOpcode(Opcodes.ILOAD), saved[i]));
    }
  }
}
