package org.reprise.anomaly.agent.instrument.program;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;

/**
 * What calls of the program's own methods may do to the caller's block: end it, or store references
 * that the caller would take for unchanged. Only methods that no other can override are looked
 * into.
 */
public final class Summaries {
  /** Deeper chains of calls are taken to do everything. */
  private static final int DEPTH_MAX = 6;

  private static final Summary ANYTHING = new Summary(true, true, Set.of());

  private final Hierarchy hierarchy;
  private final Map<ClassLoader, Map<String, Summary>> known = new WeakHashMap<>();

  private final Map<ClassLoader, Map<String, Boolean>> quiet = new WeakHashMap<>();

  public Summaries(Hierarchy hierarchy) {
    this.hierarchy = hierarchy;
  }

  /**
   * What a method may do.
   *
   * @param hasBoundary it may end the block or change its locks
   * @param storesReferences it may store into an array of references
   * @param storedFields the fields that it may store into, by name
   */
  public record Summary(boolean hasBoundary, boolean storesReferences, Set<String> storedFields) {}

  /** What the call may do; empty if anybody might be called. */
  synchronized Optional<Summary> of(@Nullable ClassLoader loader, MethodInsnNode call) {
    return of(loader, call, 0);
  }

  private Optional<Summary> of(@Nullable ClassLoader loader, MethodInsnNode call, int depth) {
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    String key = call.owner + "." + call.name + call.desc + call.getOpcode();
    Map<String, Summary> ofLoader = known.computeIfAbsent(from, any -> new HashMap<>());
    Summary summary = ofLoader.get(key);
    if (summary == null) {
      // A method that calls itself, by whatever way, is taken to do everything.
      ofLoader.put(key, ANYTHING);
      summary = depth > DEPTH_MAX ? ANYTHING : summarize(loader, call, depth);
      ofLoader.put(key, summary);
    }
    return summary == ANYTHING ? Optional.empty() : Optional.of(summary);
  }

  /** Whether a constructor does nothing with the new object but to set its fields. */
  public synchronized boolean keepsThisToItself(@Nullable ClassLoader loader, MethodInsnNode call) {
    if (call.owner.equals("java/lang/Object")) {
      return true;
    }
    if (Scope.isLibrary(call.owner.replace('/', '.'))) {
      return false;
    }
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    String key = call.owner + call.desc;
    Map<String, Boolean> ofLoader = quiet.computeIfAbsent(from, any -> new HashMap<>());
    Boolean found = ofLoader.get(key);
    if (found == null) {
      found =
          hierarchy.withCode(loader, call.owner).stream()
              .flatMap(owner -> owner.methods.stream())
              .filter(method -> method.name.equals("<init>") && method.desc.equals(call.desc))
              .anyMatch(method -> keepsThisToItself(loader, method));
      ofLoader.put(key, found);
    }
    return found;
  }

  private boolean keepsThisToItself(@Nullable ClassLoader loader, MethodNode constructor) {
    try {
      FlowGraph graph = new FlowGraph(constructor);
      Values values = new Values(constructor, graph);
      for (int node : graph.order()) {
        int opcode = graph.instruction(node).getOpcode();
        List<Value> operands = values.operands(node);
        for (int i = 0; i < operands.size(); i++) {
          if (isThis(operands.get(i))) {
            boolean isBase = i == 0 && (opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD);
            boolean isSuper =
                i == 0
                    && graph.instruction(node) instanceof MethodInsnNode call
                    && call.name.equals("<init>")
                    && keepsThisToItself(loader, call);
            if (!isBase && !isSuper) {
              return false;
            }
          }
        }
      }
      return values.usedMerges().stream()
          .noneMatch(merge -> values.inputs(merge).stream().anyMatch(Summaries::isThis));
    } catch (AnalyzerException e) {
      return false;
    }
  }

  private static boolean isThis(Value value) {
    return value.kind == Value.Kind.ENTRY && value.number == 0;
  }

  private Summary summarize(@Nullable ClassLoader loader, MethodInsnNode call, int depth) {
    Optional<ClassNode> owner = hierarchy.withCode(loader, call.owner);
    if (owner.isEmpty()) {
      return ANYTHING;
    }
    for (MethodNode method : owner.get().methods) {
      if (method.name.equals(call.name) && method.desc.equals(call.desc)) {
        return isFixed(owner.get(), method, call.getOpcode())
            ? summarize(loader, method, depth)
            : ANYTHING;
      }
    }
    return ANYTHING;
  }

  private static boolean isFixed(ClassNode owner, MethodNode method, int opcode) {
    int concealed = Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_SYNCHRONIZED;
    return (method.access & concealed) == 0
        && (opcode == Opcodes.INVOKESTATIC
            || opcode == Opcodes.INVOKESPECIAL
            || ((method.access | owner.access) & Opcodes.ACC_FINAL) != 0
            || (method.access & Opcodes.ACC_PRIVATE) != 0);
  }

  private Summary summarize(@Nullable ClassLoader loader, MethodNode method, int depth) {
    boolean storesReferences = false;
    Set<String> stored = new HashSet<>();
    for (AbstractInsnNode instruction : method.instructions) {
      switch (instruction.getOpcode()) {
        case Opcodes.MONITORENTER, Opcodes.MONITOREXIT -> {
          return ANYTHING;
        }
        case Opcodes.AASTORE -> storesReferences = true;
        case Opcodes.GETFIELD, Opcodes.GETSTATIC, Opcodes.PUTFIELD, Opcodes.PUTSTATIC -> {
          FieldInsnNode field = (FieldInsnNode) instruction;
          if (hierarchy.isVolatile(loader, field)) {
            return ANYTHING;
          }
          if (field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC) {
            stored.add(field.name);
          }
        }
        case Opcodes.INVOKEDYNAMIC -> {
          if (!((InvokeDynamicInsnNode) instruction)
              .bsm
              .getOwner()
              .equals("java/lang/invoke/LambdaMetafactory")) {
            return ANYTHING;
          }
        }
        case Opcodes.INVOKESTATIC,
            Opcodes.INVOKESPECIAL,
            Opcodes.INVOKEVIRTUAL,
            Opcodes.INVOKEINTERFACE -> {
          MethodInsnNode call = (MethodInsnNode) instruction;
          if (!Boundaries.isHarmlessLibraryCall(call)) {
            Optional<Summary> inner =
                Scope.isLibrary(call.owner.replace('/', '.'))
                    ? Optional.empty()
                    : of(loader, call, depth + 1);
            if (inner.isEmpty()) {
              return ANYTHING;
            }
            storesReferences |= inner.get().storesReferences();
            stored.addAll(inner.get().storedFields());
          }
        }
        default -> {}
      }
    }
    return new Summary(false, storesReferences, stored);
  }
}
