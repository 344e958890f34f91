package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_CONTEXT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.waits;

import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.HookCode;
import org.reprise.anomaly.agent.instrument.loop.WaitLoop;

/** Reports of loops that only wait for a variable, and of what they may wait for. */
final class WaitChecks {
  private final MethodNode method;
  private final HookCode hooks;

  WaitChecks(MethodNode method, HookCode hooks) {
    this.method = method;
    this.hooks = hooks;
  }

  /** Tells what the loop's value is compared with, each time. */
  void test(WaitLoop loop, int variable, int site) {
    int object = hooks.local(1);
    InsnList atRead = new InsnList();
    atRead.add(new InsnNode(isStatic(loop) ? Opcodes.ACONST_NULL : Opcodes.DUP));
    atRead.add(new VarInsnNode(Opcodes.ASTORE, object));
    method.instructions.insertBefore(loop.read(), atRead);
    InsnList code = new InsnList();
    operands(loop, code);
    code.add(new VarInsnNode(Opcodes.ALOAD, object));
    if (loop.signal().isEmpty()) {
      code.add(new InsnNode(Opcodes.ACONST_NULL));
    }
    loop.signal().forEach(load -> code.add(load.clone(Map.of())));
    code.add(new LdcInsnNode(loop.test()));
    code.add(new LdcInsnNode(variable));
    code.add(new LdcInsnNode(site));
    add(code, "tested", "JJ" + L_OBJECT + L_OBJECT + "III");
    method.instructions.insertBefore(loop.comparison(), code);
  }

  private static boolean isStatic(WaitLoop loop) {
    return loop.read().getOpcode() == Opcodes.GETSTATIC;
  }

  /** The value and what it is compared with, as longs; both stay on the stack besides. */
  private void operands(WaitLoop loop, InsnList code) {
    Type type =
        switch (loop.operands()) {
          case INT, TWO_INTS -> Type.INT_TYPE;
          case TWO_LONGS -> Type.LONG_TYPE;
          case REFERENCE -> Type.getObjectType("java/lang/Object");
        };
    boolean isTwo =
        loop.operands() == WaitLoop.Operands.TWO_INTS
            || loop.operands() == WaitLoop.Operands.TWO_LONGS;
    if (!isTwo) {
      code.add(new InsnNode(Opcodes.DUP));
      number(type, code);
      code.add(new InsnNode(Opcodes.LCONST_0));
      return;
    }
    int last = hooks.local(type.getSize());
    int first = hooks.local(type.getSize());
    code.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), last));
    code.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), first));
    code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), first));
    code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), last));
    code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), loop.isValueLast() ? last : first));
    number(type, code);
    code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), loop.isValueLast() ? first : last));
    number(type, code);
  }

  /** Makes the value a long, the form in which loops that wait get it. */
  private static void number(Type type, InsnList code) {
    switch (type.getSort()) {
      case Type.LONG -> {}
      case Type.OBJECT, Type.ARRAY -> code.add(waits("isSet", "(" + L_OBJECT + ")J"));
      case Type.FLOAT -> code.add(new InsnNode(Opcodes.F2L)); // which no loop waits for
      case Type.DOUBLE -> code.add(new InsnNode(Opcodes.D2L));
      default -> code.add(new InsnNode(Opcodes.I2L));
    }
  }

  /** Tells of a write what the field holds before and after. */
  void write(FieldInsnNode access, String hook, int variable, InsnList code) {
    Type type = Type.getType(access.desc);
    boolean isStatic = access.getOpcode() == Opcodes.PUTSTATIC;
    int value = hooks.local(type.getSize());
    code.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), value));
    code.add(new InsnNode(isStatic ? Opcodes.ACONST_NULL : Opcodes.DUP));
    int read = isStatic ? Opcodes.GETSTATIC : Opcodes.GETFIELD;
    if (!isStatic) {
      code.add(new InsnNode(Opcodes.DUP));
    }
    code.add(new FieldInsnNode(read, access.owner, access.name, access.desc));
    number(type, code);
    code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), value));
    number(type, code);
    code.add(new LdcInsnNode(variable));
    add(code, hook, L_OBJECT + "JJI");
    code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), value));
  }

  /** Tells that all who wait are woken up, before they are. */
  void wakeAll(MethodInsnNode call) {
    InsnList code = new InsnList();
    code.add(new InsnNode(Opcodes.DUP));
    add(code, "wakesAll", L_OBJECT);
    method.instructions.insertBefore(call, code);
  }

  private void add(InsnList code, String name, String operands) {
    code.add(new VarInsnNode(Opcodes.ALOAD, hooks.context));
    code.add(waits(name, "(" + operands + L_CONTEXT + ")V"));
  }
}
