package org.reprise.anomaly.agent.instrument.program;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The classes that may access each other's private fields: one of the top level and all that are
 * declared inside it (JVM specification, 4.7.28).
 */
public final class NestMates {
  /** Larger ones take too long to read. */
  private static final int MEMBERS_MAX = 64;

  private NestMates() {}

  /**
   * The names of all fields that others of the class's nest access, whosever they are; empty if
   * that is not known.
   */
  public static Optional<Set<String>> fieldsOfOthers(
      ClassNode owner, Hierarchy hierarchy, @Nullable ClassLoader loader) {
    List<String> others = members(owner, hierarchy, loader);
    if (others.isEmpty() || others.size() > MEMBERS_MAX) {
      return Optional.empty();
    }
    others.remove(owner.name);
    Set<String> accessed = new HashSet<>();
    for (String other : others) {
      Optional<ClassNode> code = hierarchy.withCode(loader, other);
      if (code.isEmpty()) {
        return Optional.empty();
      }
      code.get().methods.forEach(method -> addFields(method, accessed));
    }
    return Optional.of(accessed);
  }

  /** The class and all others of its nest; none if that cannot be looked up. */
  private static List<String> members(
      ClassNode owner, Hierarchy hierarchy, @Nullable ClassLoader loader) {
    ClassNode host =
        owner.nestHostClass == null
            ? owner
            : hierarchy.find(loader, owner.nestHostClass).orElse(null);
    List<String> members = new ArrayList<>();
    if (host != null) {
      members.add(host.name);
      if (host.nestMembers != null) {
        members.addAll(host.nestMembers);
      }
    }
    return members;
  }

  private static void addFields(MethodNode method, Set<String> accessed) {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof FieldInsnNode field) {
        accessed.add(field.name);
      }
    }
  }
}
