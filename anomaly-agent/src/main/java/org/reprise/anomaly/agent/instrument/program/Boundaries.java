package org.reprise.anomaly.agent.instrument.program;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Which instructions may end the current block, or change which locks it holds. A check may move
 * over any other instruction: it still speaks of the same block.
 */
public final class Boundaries {
  private static final Set<String> HARMLESS =
      Set.of(
          "java/lang/Math",
          "java/lang/StrictMath",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Double",
          "java/lang/Float",
          "java/lang/Character",
          "java/lang/Byte",
          "java/lang/Short",
          "java/lang/Boolean",
          "java/lang/Number",
          "java/lang/String",
          "java/lang/StringBuilder",
          "java/lang/System.arraycopy",
          "java/util/Random",
          "java/util/SplittableRandom",
          "java/util/BitSet");

  /**
   * Of these, calls that change something may hand over to others: the object may be one of
   * java.util.concurrent.
   */
  private static final Set<String> INTERFACES =
      Set.of("java/util/List", "java/util/Map", "java/util/Set", "java/util/Collection");

  private static final List<String> CHANGING =
      List.of("add", "put", "set", "remove", "retain", "replace", "merge", "compute", "clear");

  /** Calls of these reach user code only through equals, hashCode and compareTo. */
  private static final Set<String> COLLECTIONS =
      Set.of(
          "java/util/List",
          "java/util/ArrayList",
          "java/util/Map",
          "java/util/HashMap",
          "java/util/Set",
          "java/util/HashSet",
          "java/util/Collection",
          "java/util/Iterator",
          "java/util/ArrayDeque",
          "java/util/LinkedList");

  private static final Set<String> ARRAY_METHODS = Set.of("fill", "copyOf", "copyOfRange");

  private static final List<String> HARMLESS_FACTORIES =
      List.of("java/lang/invoke/LambdaMetafactory", "java/lang/invoke/StringConcatFactory");

  private final ClassNode owner;
  private final @Nullable ClassLoader loader;
  private final Hierarchy hierarchy;
  private final Summaries summaries;

  public Boundaries(
      ClassNode owner, @Nullable ClassLoader loader, Hierarchy hierarchy, Summaries summaries) {
    this.owner = owner;
    this.loader = loader;
    this.hierarchy = hierarchy;
    this.summaries = summaries;
  }

  public boolean isBoundary(AbstractInsnNode instruction) {
    return switch (instruction.getOpcode()) {
      case Opcodes.MONITORENTER, Opcodes.MONITOREXIT -> true;
      case Opcodes.GETFIELD, Opcodes.PUTFIELD, Opcodes.GETSTATIC, Opcodes.PUTSTATIC ->
          isVolatile((FieldInsnNode) instruction);
      case Opcodes.INVOKEDYNAMIC ->
          !HARMLESS_FACTORIES.contains(((InvokeDynamicInsnNode) instruction).bsm.getOwner());
      case Opcodes.INVOKESTATIC,
          Opcodes.INVOKESPECIAL,
          Opcodes.INVOKEVIRTUAL,
          Opcodes.INVOKEINTERFACE ->
          !isHarmless((MethodInsnNode) instruction);
      default -> false;
    };
  }

  /** What a call that is no boundary may store; empty for instructions that are no such calls. */
  public Optional<Summaries.Summary> summary(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call && !isLibrary(call)
        ? summaries.of(loader, call)
        : Optional.empty();
  }

  boolean isVolatile(FieldInsnNode access) {
    if (access.owner.equals(owner.name)) {
      for (FieldNode field : owner.fields) {
        if (field.name.equals(access.name)) {
          return (field.access & Opcodes.ACC_VOLATILE) != 0;
        }
      }
    }
    return hierarchy.isVolatile(loader, access);
  }

  private boolean isHarmless(MethodInsnNode call) {
    return isLibrary(call)
        ? isHarmlessLibraryCall(call)
        : summaries.of(loader, call).filter(summary -> !summary.hasBoundary()).isPresent();
  }

  private static boolean isLibrary(MethodInsnNode call) {
    return call.owner.startsWith("[") || Scope.isLibrary(call.owner.replace('/', '.'));
  }

  static boolean isHarmlessLibraryCall(MethodInsnNode call) {
    if (call.owner.startsWith("[")
        || call.owner.equals("java/lang/Object") && call.name.equals("<init>")
        || HARMLESS.contains(call.owner)
        || HARMLESS.contains(call.owner + "." + call.name)
        || isException(call)) {
      return true;
    }
    if (call.owner.equals("java/util/Arrays")) {
      return ARRAY_METHODS.contains(call.name);
    }
    return COLLECTIONS.contains(call.owner)
        && !(INTERFACES.contains(call.owner) && CHANGING.stream().anyMatch(call.name::startsWith))
        && !call.desc.contains("Ljava/util/function/")
        && !call.desc.contains("Ljava/util/Comparator;")
        && !call.name.toLowerCase(java.util.Locale.ROOT).endsWith("stream");
  }

  private static boolean isException(MethodInsnNode call) {
    return call.name.equals("<init>")
        && (call.owner.endsWith("Exception") || call.owner.endsWith("Error"));
  }
}
