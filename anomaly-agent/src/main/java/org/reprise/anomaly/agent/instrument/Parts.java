package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * The methods of a class that work on a part of their arrays. Called with such a part, they run as
 * they were written, with one check of the part before: the compiler then makes of them what it
 * would make without checks, and a recursion is checked where it begins. A method that calls itself
 * does so if it does under the assumption that the inner call does.
 */
final class Parts {
  private final ClassNode owner;
  private final Map<String, Part> found = new HashMap<>();

  private Parts(ClassNode owner) {
    this.owner = owner;
  }

  /** Looks at methods as they were written, before any of them is changed. */
  static Parts of(ClassNode owner) {
    Parts parts = new Parts(owner);
    Map<String, MethodNode> open = new LinkedHashMap<>();
    for (MethodNode method : owner.methods) {
      if (PartSearch.isCandidate(method)) {
        open.put(key(method), method);
      }
    }
    // A method comes after those that it calls; those that call each other never come.
    while (true) {
      List<MethodNode> ready =
          open.values().stream().filter(method -> parts.isReady(method, open)).toList();
      if (ready.isEmpty()) {
        return parts;
      }
      ready.forEach(parts::look);
      ready.forEach(method -> open.remove(key(method)));
    }
  }

  static Parts none(ClassNode owner) {
    return new Parts(owner);
  }

  private void look(MethodNode method) {
    try {
      PartSearch.of(owner, method, found).ifPresent(part -> found.put(key(method), part));
    } catch (AnalyzerException e) {
      found.remove(key(method));
    }
  }

  /** Whether a method calls none that is still to be looked at, other than itself. */
  private boolean isReady(MethodNode method, Map<String, MethodNode> open) {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof MethodInsnNode call && call.owner.equals(owner.name)) {
        MethodNode called = open.get(key(call));
        if (called != null && called != method) {
          return false;
        }
      }
    }
    return true;
  }

  static String key(MethodNode method) {
    return method.name + method.desc;
  }

  static String key(MethodInsnNode call) {
    return call.name + call.desc;
  }

  /** The methods that are checked once a call, and what there is to check. */
  Map<MethodNode, Part> whole() {
    Map<MethodNode, Part> whole = new LinkedHashMap<>();
    for (Part part : found.values()) {
      if (part.isWhole()) {
        whole.put(part.method(), part);
      }
    }
    return whole;
  }

  /** Copies of methods, and of all parts that they call, as they were written. */
  List<MethodNode> plain(Collection<MethodNode> methods) {
    Map<String, MethodNode> copies = new LinkedHashMap<>();
    methods.forEach(method -> copy(method, copies));
    return new ArrayList<>(copies.values());
  }

  private void copy(MethodNode method, Map<String, MethodNode> copies) {
    if (copies.containsKey(key(method))) {
      return;
    }
    MethodNode copy =
        new MethodNode(
            Opcodes.ASM9,
            Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
            plain(method.name),
            method.desc,
            null,
            null);
    copies.put(key(method), copy);
    method.instructions.resetLabels();
    method.accept(copy);
    withoutAnnotations(copy);
    for (AbstractInsnNode instruction : copy.instructions) {
      Part part =
          instruction instanceof MethodInsnNode call && call.owner.equals(owner.name)
              ? found.get(key(call))
              : null;
      if (part != null) {
        ((MethodInsnNode) instruction).name = plain(part.method().name);
        copy(part.method(), copies);
      }
    }
  }

  /** Frameworks look for annotated methods: these are not theirs. */
  private static void withoutAnnotations(MethodNode copy) {
    copy.visibleAnnotations = null;
    copy.invisibleAnnotations = null;
    copy.visibleTypeAnnotations = null;
    copy.invisibleTypeAnnotations = null;
    copy.visibleParameterAnnotations = null;
    copy.invisibleParameterAnnotations = null;
  }

  static String plain(String name) {
    return "$reprise$" + name;
  }
}
