package org.reprise.anomaly.agent.instrument.program;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * What the source calls the operands of a method's instructions: a field's name where the value
 * comes from a field, through locals and row accesses, else the local variable's.
 */
public final class OperandNames {
  /** Chains of copies longer than this are shown by their last name. */
  private static final int DEPTH_MAX = 8;

  private final MethodNode method;
  private final @Nullable Frame<SourceValue>[] frames;

  private OperandNames(MethodNode method, @Nullable Frame<SourceValue>[] frames) {
    this.method = method;
    this.frames = frames;
  }

  public static OperandNames of(String className, MethodNode method) {
    try {
      return new OperandNames(
          method, new Analyzer<>(new SourceInterpreter()).analyze(className, method));
    } catch (AnalyzerException e) {
      return new OperandNames(method, noFrames());
    }
  }

  @SuppressWarnings("unchecked")
  private static Frame<SourceValue>[] noFrames() {
    return (Frame<SourceValue>[]) new Frame<?>[0];
  }

  /** The name of the operand {@code depth} below the top of the stack, before the instruction. */
  public String operand(AbstractInsnNode instruction, int depth) {
    return name(instruction, depth, 0).orElse("an unnamed value");
  }

  private Optional<String> name(AbstractInsnNode instruction, int depth, int steps) {
    int at = method.instructions.indexOf(instruction);
    Frame<SourceValue> frame = at < frames.length ? frames[at] : null;
    if (frame == null || frame.getStackSize() <= depth) {
      return Optional.empty();
    }
    return name(frame.getStack(frame.getStackSize() - 1 - depth), steps);
  }

  private Optional<String> name(SourceValue value, int steps) {
    if (value.insns.size() != 1 || steps > DEPTH_MAX) {
      return Optional.empty();
    }
    return producedBy(value.insns.iterator().next(), steps + 1);
  }

  private Optional<String> producedBy(AbstractInsnNode instruction, int steps) {
    switch (instruction.getOpcode()) {
      case Opcodes.GETFIELD, Opcodes.GETSTATIC -> {
        FieldInsnNode field = (FieldInsnNode) instruction;
        return Optional.of(shortName(field.owner) + "." + field.name);
      }
      case Opcodes.ALOAD -> {
        return local((VarInsnNode) instruction, steps);
      }
      case Opcodes.AALOAD -> {
        return name(instruction, 1, steps).map(array -> array + "[*]");
      }
      case Opcodes.CHECKCAST, Opcodes.ASTORE, Opcodes.DUP -> {
        return name(instruction, 0, steps);
      }
      case Opcodes.DUP_X2, Opcodes.DUP2_X2 -> {
        // Of array, index and value, for an assignment whose value is used.
        return name(instruction, 2, steps);
      }
      case Opcodes.DUP2 -> {
        // Of array and index, for an update such as a[i]++.
        return name(instruction, 1, steps);
      }
      case Opcodes.INVOKEVIRTUAL,
          Opcodes.INVOKEINTERFACE,
          Opcodes.INVOKESTATIC,
          Opcodes.INVOKESPECIAL -> {
        MethodInsnNode call = (MethodInsnNode) instruction;
        return Optional.of(shortName(call.owner) + "." + call.name + "()");
      }
      default -> {
        return Optional.empty();
      }
    }
  }

  private Optional<String> local(VarInsnNode load, int steps) {
    int at = method.instructions.indexOf(load);
    Frame<SourceValue> frame = at < frames.length ? frames[at] : null;
    if (frame != null && load.var < frame.getLocals()) {
      Optional<String> origin = name(frame.getLocal(load.var), steps);
      if (origin.isPresent() && !origin.get().endsWith("()")) {
        return origin;
      }
    }
    if (load.var == 0 && (method.access & Opcodes.ACC_STATIC) == 0) {
      return Optional.of("this");
    }
    return localName(load, at)
        .or(() -> parameter(load.var))
        .or(
            () ->
                method.localVariables == null || method.localVariables.isEmpty()
                    ? Optional.of("local " + load.var + " of " + method.name)
                    : Optional.empty());
  }

  private Optional<String> localName(VarInsnNode load, int at) {
    if (method.localVariables == null) {
      return Optional.empty();
    }
    for (LocalVariableNode variable : method.localVariables) {
      if (variable.index == load.var
          && method.instructions.indexOf(variable.start) <= at
          && at < method.instructions.indexOf(variable.end)) {
        return Optional.of(variable.name);
      }
    }
    return Optional.empty();
  }

  /** For classes compiled without names of locals. */
  private Optional<String> parameter(int slot) {
    int at = (method.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
    int number = 1;
    for (Type type : Type.getArgumentTypes(method.desc)) {
      if (at == slot) {
        return Optional.of("parameter " + number + " of " + method.name);
      }
      at += type.getSize();
      number++;
    }
    return Optional.empty();
  }

  public static String shortName(String internalName) {
    return internalName.substring(internalName.lastIndexOf('/') + 1).replace('$', '.');
  }
}
