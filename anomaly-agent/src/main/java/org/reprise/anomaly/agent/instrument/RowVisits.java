package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.parts.ArrayParts;

/**
 * The methods of a class that are {@link RowVisit}s. A loop that calls one for row after row tells
 * what all of its calls access before the first one ({@link RowVisitLoop}), and calls it by a
 * method that takes one argument more: whether to run it as it was written.
 */
final class RowVisits {
  private static final String EITHER = "$reprise$visit$";

  private final ClassNode owner;
  private final Map<String, RowVisit> found = new LinkedHashMap<>();

  /** Methods that some loop calls so. */
  private final Set<String> called = new HashSet<>();

  private final Map<String, MethodNode> plain = new HashMap<>();

  private RowVisits(ClassNode owner) {
    this.owner = owner;
  }

  static RowVisits none(ClassNode owner) {
    return new RowVisits(owner);
  }

  /**
   * Looks at methods as they were written.
   *
   * @param search finds the visit that a candidate is
   */
  static RowVisits of(ClassNode owner, Function<MethodNode, @Nullable RowVisit> search) {
    RowVisits visits = new RowVisits(owner);
    Set<String> calls = new HashSet<>();
    for (MethodNode method : owner.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction instanceof MethodInsnNode call && call.owner.equals(owner.name)) {
          calls.add(ArrayParts.key(call));
        }
      }
    }
    for (MethodNode method : owner.methods) {
      if (calls.contains(ArrayParts.key(method)) && RowVisitSearch.isCandidate(owner, method)) {
        RowVisit visit = search.apply(method);
        if (visit != null) {
          visits.found.put(ArrayParts.key(method), visit);
        }
      }
    }
    return visits;
  }

  ClassNode owner() {
    return owner;
  }

  /** The visit that a call makes; null if it makes none. */
  @Nullable RowVisit of(MethodInsnNode call) {
    return call.owner.equals(owner.name) ? found.get(ArrayParts.key(call)) : null;
  }

  /** The plan by which the method was found to be a visit; null if it is none. */
  @Nullable MethodPlan plan(MethodNode method) {
    RowVisit visit = found.get(ArrayParts.key(method));
    return visit == null ? null : visit.plan();
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** All methods, visits first: sites of theirs must be known where loops call them. */
  List<MethodNode> inOrder() {
    List<MethodNode> ordered = new ArrayList<>();
    found.values().forEach(visit -> ordered.add(visit.method()));
    for (MethodNode method : owner.methods) {
      if (!found.containsKey(ArrayParts.key(method))) {
        ordered.add(method);
      }
    }
    return ordered;
  }

  /** Calls a visit by the method that takes one argument more, which lies on the stack. */
  void redirect(MethodInsnNode call) {
    called.add(ArrayParts.key(call));
    call.setOpcode(
        call.getOpcode() == Opcodes.INVOKESTATIC ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL);
    call.name = either(call.name);
    call.desc = either(call.desc, "I");
  }

  /** A visit as it was written, before it is changed. */
  void keepPlain(MethodNode copy, MethodNode method) {
    plain.put(ArrayParts.key(method), copy);
  }

  /** What the class must have for the calls that were redirected. */
  List<MethodNode> added() {
    List<MethodNode> added = new ArrayList<>();
    for (RowVisit visit : found.values()) {
      MethodNode copy = plain.get(ArrayParts.key(visit.method()));
      if (copy != null && called.contains(ArrayParts.key(visit.method()))) {
        added.add(copy);
        added.add(either(owner, visit.method(), copy.name));
      }
    }
    return added;
  }

  private static String either(String name) {
    return EITHER + name;
  }

  private static String either(String descriptor, String more) {
    int end = descriptor.indexOf(')');
    return descriptor.substring(0, end) + more + descriptor.substring(end);
  }

  /** The name and the descriptor of the method by which a loop calls another. */
  static String eitherKey(MethodNode method) {
    return either(method.name) + either(method.desc, "I");
  }

  /** Calls a method as it was written, or with its checks, as the last argument says. */
  static MethodNode either(ClassNode owner, MethodNode method, String plain) {
    int access = Opcodes.ACC_PRIVATE | (method.access & Opcodes.ACC_STATIC) | Opcodes.ACC_SYNTHETIC;
    MethodNode made =
        new MethodNode(
            Opcodes.ASM9, access, either(method.name), either(method.desc, "I"), null, null);
    int last = FootprintCode.locals(method);
    InsnList code = made.instructions;
    LabelNode otherwise = new LabelNode();
    code.add(new VarInsnNode(Opcodes.ILOAD, last));
    code.add(new JumpInsnNode(Opcodes.IFEQ, otherwise));
    ArrayParts.call(owner, method, plain, code);
    code.add(otherwise);
    code.add(ArrayParts.frame(owner, made));
    ArrayParts.call(owner, method, method.name, code);
    made.maxLocals = last + 1;
    return made;
  }
}
