package org.reprise.anomaly.agent.instrument.parts;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.reprise.anomaly.agent.instrument.SummarisedLoopCode;

/**
 * The methods of a class that work on a part of their arrays. Called with such a part, they run as
 * they were written, with one check of the part before: the compiler then makes of them what it
 * would make without checks, and a recursion is checked where it begins. A method that calls itself
 * does so if it does under the assumption that the inner call does.
 */
public final class ArrayParts {
  private static final String CHECKED = "$reprise$checked$";
  private static final String SUMMARY = "$reprise$summary$";
  private static final String DECLARED = "$reprise$declared$";

  private final ClassNode owner;
  private final Map<String, ArrayPart> found = new HashMap<>();

  private ArrayParts(ClassNode owner) {
    this.owner = owner;
  }

  /** Looks at methods as they were written, before any of them is changed. */
  public static ArrayParts of(ClassNode owner) {
    ArrayParts parts = new ArrayParts(owner);
    Map<String, MethodNode> open = new LinkedHashMap<>();
    for (MethodNode method : owner.methods) {
      if (ArrayPartSearch.isCandidate(method)) {
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

  public static ArrayParts none(ClassNode owner) {
    return new ArrayParts(owner);
  }

  private void look(MethodNode method) {
    try {
      ArrayPartSearch.of(owner, method, found).ifPresent(part -> found.put(key(method), part));
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

  public static String key(MethodNode method) {
    return method.name + method.desc;
  }

  public static String key(MethodInsnNode call) {
    return call.name + call.desc;
  }

  /** The methods that are checked once a call, and what there is to check. */
  public Map<MethodNode, ArrayPart> whole() {
    Map<MethodNode, ArrayPart> whole = new LinkedHashMap<>();
    for (ArrayPart part : found.values()) {
      if (part.isWhole()) {
        whole.put(part.method(), part);
      }
    }
    return whole;
  }

  /** MethodVariants of methods, and of all parts that they call, as they were written. */
  public List<MethodNode> plain(Collection<MethodNode> methods) {
    Map<String, MethodNode> copies = new LinkedHashMap<>();
    methods.forEach(method -> copy(method, copies));
    return new ArrayList<>(copies.values());
  }

  private void copy(MethodNode method, Map<String, MethodNode> copies) {
    if (copies.containsKey(key(method))) {
      return;
    }
    MethodNode copy = copy(method, plain(method.name));
    copies.put(key(method), copy);
    for (AbstractInsnNode instruction : copy.instructions) {
      ArrayPart part =
          instruction instanceof MethodInsnNode call && call.owner.equals(owner.name)
              ? found.get(key(call))
              : null;
      if (part != null) {
        ((MethodInsnNode) instruction).name = plain(part.method().name);
        copy(part.method(), copies);
      }
    }
  }

  /** A method of the agent's own that does what another does. */
  public static MethodNode copy(MethodNode method, String name) {
    MethodNode copy =
        new MethodNode(
            Opcodes.ASM9,
            Opcodes.ACC_PRIVATE | (method.access & Opcodes.ACC_STATIC) | Opcodes.ACC_SYNTHETIC,
            name,
            method.desc,
            null,
            null);
    method.instructions.resetLabels();
    method.accept(copy);
    withoutAnnotations(copy);
    return copy;
  }

  /** Frameworks look for annotated methods: these are not theirs. */
  private static void withoutAnnotations(MethodNode copy) {
    moveAnnotations(copy, new MethodNode(Opcodes.ASM9));
  }

  public static void moveAnnotations(MethodNode from, MethodNode to) {
    to.visibleAnnotations = from.visibleAnnotations;
    to.invisibleAnnotations = from.invisibleAnnotations;
    to.visibleTypeAnnotations = from.visibleTypeAnnotations;
    to.invisibleTypeAnnotations = from.invisibleTypeAnnotations;
    to.visibleParameterAnnotations = from.visibleParameterAnnotations;
    to.invisibleParameterAnnotations = from.invisibleParameterAnnotations;
    from.visibleAnnotations = null;
    from.invisibleAnnotations = null;
    from.visibleTypeAnnotations = null;
    from.invisibleTypeAnnotations = null;
    from.visibleParameterAnnotations = null;
    from.invisibleParameterAnnotations = null;
  }

  /** Calls another form of a method with the arguments that it was entered with, and returns. */
  public static void call(ClassNode owner, MethodNode method, String name, InsnList code) {
    invoke(owner, method, name, code);
    code.add(new InsnNode(Type.getReturnType(method.desc).getOpcode(Opcodes.IRETURN)));
  }

  public static void invoke(ClassNode owner, MethodNode method, String name, InsnList code) {
    boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    int local = isStatic ? 0 : 1;
    if (!isStatic) {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local));
      local += type.getSize();
    }
    code.add(
        new MethodInsnNode(
            isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL,
            owner.name,
            name,
            method.desc,
            (owner.access & Opcodes.ACC_INTERFACE) != 0));
  }

  /** The frame of a method in which nothing but its arguments is set. */
  public static FrameNode frame(ClassNode owner, MethodNode method) {
    List<Object> locals = new ArrayList<>();
    if ((method.access & Opcodes.ACC_STATIC) == 0) {
      locals.add(owner.name);
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      locals.add(
          switch (type.getSort()) {
            case Type.LONG -> Opcodes.LONG;
            case Type.FLOAT -> Opcodes.FLOAT;
            case Type.DOUBLE -> Opcodes.DOUBLE;
            case Type.ARRAY, Type.OBJECT -> type.getInternalName();
            default -> Opcodes.INTEGER;
          });
    }
    return new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), 0, new Object[0]);
  }

  public static String plain(String name) {
    return "$reprise$" + name;
  }

  /** The name of a method that has its checks, where another one took its place. */
  public static String checked(String name) {
    return CHECKED + name;
  }

  /** The name of a method that reports many calls of another: {@link SummarisedLoopCode}. */
  public static String summary(String name) {
    return SUMMARY + name;
  }

  /** The name of a method as it was written, called only where its accesses are declared ahead. */
  public static String declared(String name) {
    return DECLARED + name;
  }

  /** The key of the method that reports many calls of this one; that is one of its own. */
  public static String summaryOf(MethodNode method) {
    return method.name.startsWith(SUMMARY) ? key(method) : summary(method.name) + method.desc;
  }

  /** The name that the program gave to a method that has its checks, or reports many calls. */
  public static String original(String name) {
    for (String prefix : List.of(CHECKED, SUMMARY)) {
      if (name.startsWith(prefix)) {
        return name.substring(prefix.length());
      }
    }
    return name;
  }
}
