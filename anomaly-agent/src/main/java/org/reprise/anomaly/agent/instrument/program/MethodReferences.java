package org.reprise.anomaly.agent.instrument.program;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Gives references to library methods a body in the class that makes them: {@code list::add}
 * becomes a lambda that calls it. Without one the call happens in a hidden class, which no
 * transformer sees.
 */
public final class MethodReferences {
  private static final String METAFACTORY = "java/lang/invoke/LambdaMetafactory";
  private static final String PREFIX = "lambda$reprise$";

  private MethodReferences() {}

  public static void expand(ClassNode owner, @Nullable ClassLoader loader, Hierarchy hierarchy) {
    List<MethodNode> added = new ArrayList<>();
    for (MethodNode method : owner.methods) {
      OperandNames names = null;
      int line = 0;
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction instanceof LineNumberNode number) {
          line = number.line;
        }
        if (instruction instanceof InvokeDynamicInsnNode lambda
            && isReported(lambda, loader, hierarchy)) {
          names = names == null ? OperandNames.of(owner.name, method) : names;
          int captured = Type.getArgumentTypes(lambda.desc).length;
          String receiver = captured == 0 ? "element" : names.operand(lambda, captured - 1);
          added.add(body(owner, lambda, line, added.size(), receiver));
        }
      }
    }
    owner.methods.addAll(added);
  }

  /**
   * RepeatedTraversal the bodies are instrumented: their names of variables are for reports, not
   * for class files.
   */
  public static void forgetNames(ClassNode owner) {
    for (MethodNode method : owner.methods) {
      if (method.name.startsWith(PREFIX)) {
        method.localVariables.clear();
      }
    }
  }

  private static boolean isReported(
      InvokeDynamicInsnNode lambda, @Nullable ClassLoader loader, Hierarchy hierarchy) {
    if (!lambda.bsm.getOwner().equals(METAFACTORY)
        || !lambda.bsm.getName().equals("metafactory")
        || !(lambda.bsmArgs[1] instanceof Handle target)) {
      return false;
    }
    boolean isVirtual =
        target.getTag() == Opcodes.H_INVOKEVIRTUAL || target.getTag() == Opcodes.H_INVOKEINTERFACE;
    return isVirtual && LibraryCalls.isReported(call(target), loader, hierarchy);
  }

  private static MethodInsnNode call(Handle target) {
    return new MethodInsnNode(
        target.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL,
        target.getOwner(),
        target.getName(),
        target.getDesc(),
        target.isInterface());
  }

  /** The body; the reference is made to point to it. */
  private static MethodNode body(
      ClassNode owner, InvokeDynamicInsnNode lambda, int line, int number, String receiver) {
    Handle target = (Handle) lambda.bsmArgs[1];
    List<Type> parameters = new ArrayList<>(List.of(Type.getObjectType(target.getOwner())));
    parameters.addAll(List.of(Type.getArgumentTypes(target.getDesc())));
    // What is captured must have exactly the type it is captured with.
    Type[] captured = Type.getArgumentTypes(lambda.desc);
    for (int i = 0; i < captured.length; i++) {
      parameters.set(i, captured[i]);
    }
    Type result = Type.getReturnType(target.getDesc());
    String descriptor = Type.getMethodDescriptor(result, parameters.toArray(Type[]::new));
    String name = PREFIX + number;
    MethodNode body =
        new MethodNode(
            Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
            name,
            descriptor,
            null,
            null);
    LabelNode start = new LabelNode();
    body.instructions.add(start);
    body.instructions.add(new LineNumberNode(line, start));
    int slot = 0;
    for (Type parameter : parameters) {
      body.instructions.add(new VarInsnNode(parameter.getOpcode(Opcodes.ILOAD), slot));
      slot += parameter.getSize();
    }
    body.instructions.add(call(target));
    body.instructions.add(new InsnNode(result.getOpcode(Opcodes.IRETURN)));
    LabelNode end = new LabelNode();
    body.instructions.add(end);
    body.localVariables.add(
        new LocalVariableNode(receiver, parameters.get(0).getDescriptor(), null, start, end, 0));
    body.maxLocals = slot;
    body.maxStack = slot + 2;
    boolean isInterface = (owner.access & Opcodes.ACC_INTERFACE) != 0;
    lambda.bsmArgs[1] =
        new Handle(Opcodes.H_INVOKESTATIC, owner.name, name, descriptor, isInterface);
    return body;
  }
}
