package org.reprise.anomaly.agent.jdk;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Calls {@code Blocks.enter} when a method begins and {@code Blocks.exit} however it ends. */
final class AroundMethod {
  private static final String BLOCKS = "org/reprise/anomaly/hooks/Blocks";
  private static final String STAGE = "Ljava/util/concurrent/CompletionStage;";
  private static final String OBJECT = "Ljava/lang/Object;";

  private final String owner;
  private final MethodNode method;
  private final int point;
  private final boolean isStatic;
  private final Type[] arguments;

  /** Locals: whether something was entered, and the two objects the calls are given. */
  private final int entered;

  private final int self;
  private final int argument;
  private final int result;

  AroundMethod(String owner, MethodNode method, int point) {
    this.owner = owner;
    this.method = method;
    this.point = point;
    this.isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    this.arguments = Type.getArgumentTypes(method.desc);
    this.entered = method.maxLocals;
    this.self = entered + 1;
    this.argument = entered + 2;
    this.result = entered + 3;
  }

  void insert() {
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      int opcode = instruction.getOpcode();
      if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        method.instructions.insertBefore(instruction, returning(opcode));
      }
    }
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    InsnList entry = entry();
    entry.add(start);
    List<Object> locals = declareLocals();
    method.instructions.insert(entry);
    InsnList handler = new InsnList();
    handler.add(end);
    handler.add(
        new FrameNode(
            Opcodes.F_NEW,
            locals.size(),
            locals.toArray(),
            1,
            new Object[] {"java/lang/Throwable"}));
    handler.add(new InsnNode(Opcodes.DUP));
    handler.add(exit());
    handler.add(new InsnNode(Opcodes.ATHROW));
    method.instructions.add(handler);
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
    method.maxLocals = result + 2;
  }

  private InsnList entry() {
    InsnList code = new InsnList();
    List<Integer> objects = objects();
    load(code, objects, 0);
    code.add(new VarInsnNode(Opcodes.ASTORE, self));
    if (!isStatic && arguments.length == 1 && arguments[0] == Type.INT_TYPE) {
      code.add(new VarInsnNode(Opcodes.ILOAD, 1));
      code.add(
          new MethodInsnNode(
              Opcodes.INVOKESTATIC,
              "java/lang/Integer",
              "valueOf",
              "(I)Ljava/lang/Integer;",
              false));
    } else {
      load(code, objects, 1);
    }
    code.add(new VarInsnNode(Opcodes.ASTORE, argument));
    code.add(new LdcInsnNode(point));
    code.add(new VarInsnNode(Opcodes.ALOAD, self));
    code.add(new VarInsnNode(Opcodes.ALOAD, argument));
    code.add(call("enter", "(I" + OBJECT + OBJECT + ")Z"));
    code.add(new VarInsnNode(Opcodes.ISTORE, entered));
    return code;
  }

  private static void load(InsnList code, List<Integer> objects, int number) {
    code.add(
        number < objects.size()
            ? new VarInsnNode(Opcodes.ALOAD, objects.get(number))
            : new InsnNode(Opcodes.ACONST_NULL));
  }

  /** Slots of the receiver and of the arguments that are objects. */
  private List<Integer> objects() {
    List<Integer> slots = new ArrayList<>();
    int slot = 0;
    if (!isStatic) {
      slots.add(slot++);
    }
    for (Type type : arguments) {
      if (type.getDescriptor().equals(STAGE)) {
        // A stage that waits for two futures: the other one comes after an executor.
        slots.add(1, slot);
      } else if (type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY) {
        slots.add(slot);
      }
      slot += type.getSize();
    }
    return slots;
  }

  private InsnList returning(int opcode) {
    InsnList code = new InsnList();
    Type type = Type.getReturnType(method.desc);
    if (opcode == Opcodes.ARETURN) {
      code.add(new InsnNode(Opcodes.DUP));
    } else if (type == Type.BOOLEAN_TYPE) {
      code.add(new InsnNode(Opcodes.DUP));
      code.add(
          new MethodInsnNode(
              Opcodes.INVOKESTATIC,
              "java/lang/Boolean",
              "valueOf",
              "(Z)Ljava/lang/Boolean;",
              false));
    } else {
      code.add(new InsnNode(Opcodes.ACONST_NULL));
    }
    code.add(exit());
    return code;
  }

  /** Calls exit with the object on top of the stack as the result. */
  private InsnList exit() {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ASTORE, result));
    code.add(new VarInsnNode(Opcodes.ILOAD, entered));
    code.add(new LdcInsnNode(point));
    code.add(new VarInsnNode(Opcodes.ALOAD, self));
    code.add(new VarInsnNode(Opcodes.ALOAD, argument));
    code.add(new VarInsnNode(Opcodes.ALOAD, result));
    code.add(call("exit", "(ZI" + OBJECT + OBJECT + OBJECT + ")V"));
    return code;
  }

  /** Every frame learns of the three locals; returns the locals of the handler's frame. */
  private List<Object> declareLocals() {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof FrameNode frame) {
        List<Object> types = new ArrayList<>(frame.local);
        int slots = 0;
        for (Object type : types) {
          slots += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
        }
        for (; slots < entered; slots++) {
          types.add(Opcodes.TOP);
        }
        addOwn(types);
        frame.local = types;
      }
    }
    List<Object> types = new ArrayList<>();
    for (int i = 0; i < entered; i++) {
      types.add(Opcodes.TOP);
    }
    if (!isStatic) {
      types.set(0, owner);
    }
    addOwn(types);
    return types;
  }

  private static void addOwn(List<Object> types) {
    types.add(Opcodes.INTEGER);
    types.add("java/lang/Object");
    types.add("java/lang/Object");
  }

  private static MethodInsnNode call(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, BLOCKS, name, descriptor, false);
  }
}
