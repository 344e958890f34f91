package org.reprise.anomaly.agent.instrument.program;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * All classes that a program names, from its main class on, read before it runs; and which of their
 * methods may run in parallel: those that the library calls (bodies of lambdas, and every method of
 * a class that extends or implements something of the library's), and whatever these call. A call
 * is taken to reach every method of its name and descriptor, whichever class it is in.
 *
 * <p>Parallel streams and {@code invokeAll} wait for what they start, so the program's other code
 * does not run beside it. Where a thread or a task may be left running, every method may run in
 * parallel. Where the program calls what this analysis cannot follow, reflection above all, it
 * knows nothing.
 */
final class WholeProgram {
  private static final int CLASSES_MAX = 4000;

  private static final Set<String> OF_EVERY_OBJECT =
      Set.of("toString", "equals", "hashCode", "finalize", "clone", "compareTo");

  private static final Set<String> KNOWN_BOOTSTRAPS =
      Set.of(
          "java/lang/invoke/LambdaMetafactory",
          "java/lang/invoke/StringConcatFactory",
          "java/lang/runtime/ObjectMethods",
          "java/lang/runtime/SwitchBootstraps");

  private final Hierarchy hierarchy;
  private final @Nullable ClassLoader loader;
  private final Map<String, ClassNode> classes = new LinkedHashMap<>();
  private final Map<String, Set<Method>> bySignature = new HashMap<>();
  private final Set<Method> reached = new HashSet<>();
  private final Set<Method> parallel = new HashSet<>();
  private @Nullable String unknown;
  private @Nullable String leftRunning;
  private ParallelWrites writes = ParallelWrites.ANYTHING;

  private record Method(ClassNode owner, MethodNode node) {
    String text() {
      return owner.name.replace('/', '.') + "." + node.name;
    }
  }

  private WholeProgram(Hierarchy hierarchy, @Nullable ClassLoader loader) {
    this.hierarchy = hierarchy;
    this.loader = loader;
  }

  /** The program that begins with a class of this loader. */
  static WholeProgram of(Hierarchy hierarchy, @Nullable ClassLoader loader, String mainClass) {
    WholeProgram program = new WholeProgram(hierarchy, loader);
    program.readClasses(mainClass);
    program.analyze(mainClass);
    return program;
  }

  ParallelWrites writes() {
    return writes;
  }

  /** Whether the analysis knows the class; it does not matter where it knows nothing. */
  boolean contains(String className) {
    return unknown != null || classes.containsKey(className);
  }

  /** What was found, in words. */
  String text() {
    if (unknown != null) {
      return "nothing is dropped: " + unknown;
    }
    String which =
        leftRunning == null
            ? parallel.size() + " may run in parallel"
            : "all may run in parallel: " + leftRunning;
    return "of " + reached.size() + " methods that may run, " + which;
  }

  private void readClasses(String mainClass) {
    Deque<String> open = new ArrayDeque<>(List.of(mainClass));
    Set<String> seen = new HashSet<>(open);
    while (!open.isEmpty() && unknown == null) {
      String name = open.pop();
      Optional<ClassNode> found = hierarchy.withCode(loader, name);
      if (found.isEmpty()) {
        // Whoever needs it fails at run time, as without the analysis.
        continue;
      }
      ClassNode node = found.get();
      classes.put(name, node);
      for (MethodNode method : node.methods) {
        bySignature
            .computeIfAbsent(method.name + method.desc, any -> new HashSet<>())
            .add(new Method(node, method));
      }
      for (String named : ClassNames.of(node)) {
        if (!Scope.isLibrary(named.replace('/', '.')) && seen.add(named)) {
          open.push(named);
        }
      }
      if (classes.size() > CLASSES_MAX) {
        unknown = "the program names more than " + CLASSES_MAX + " classes";
      }
    }
  }

  private void analyze(String mainClass) {
    Set<Method> serial = new HashSet<>();
    Set<Method> calledBack = new HashSet<>();
    for (ClassNode node : classes.values()) {
      boolean isOfLibrary = extendsLibrary(node);
      for (MethodNode method : node.methods) {
        boolean isMain = node.name.equals(mainClass) && method.name.equals("main");
        if (isMain || method.name.equals("<clinit>")) {
          serial.add(new Method(node, method));
        } else if ((isOfLibrary && !method.name.equals("<init>"))
            || OF_EVERY_OBJECT.contains(method.name)) {
          calledBack.add(new Method(node, method));
        }
        if (method.name.equals("finalize") && method.desc.equals("()V")) {
          leftRunning = node.name.replace('/', '.') + " is finalized";
        }
        addLambdas(method, calledBack);
      }
    }
    if (serial.stream().noneMatch(method -> method.node.name.equals("main"))) {
      unknown = mainClass.replace('/', '.') + ", the first class that is loaded, has no main";
    }
    if (unknown != null) {
      return;
    }
    reach(calledBack, parallel);
    reached.addAll(parallel);
    reach(serial, reached);
    reached.forEach(this::look);
    if (unknown == null) {
      writes = ParallelWrites.nothing();
      (leftRunning == null ? parallel : reached).forEach(this::addWrites);
      reached.forEach(this::addLibraryWrites);
    }
  }

  /** The bodies of lambdas, and what method references refer to. */
  private void addLambdas(MethodNode method, Set<Method> calledBack) {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof InvokeDynamicInsnNode dynamic) {
        for (Object argument : dynamic.bsmArgs) {
          if (argument instanceof Handle handle) {
            boolean isExact =
                handle.getTag() != Opcodes.H_INVOKEVIRTUAL
                    && handle.getTag() != Opcodes.H_INVOKEINTERFACE;
            calledBack.addAll(
                callees(handle.getOwner(), handle.getName(), handle.getDesc(), isExact));
          }
        }
      }
    }
  }

  /** Whether it extends or implements a class of the library that has methods to override. */
  private boolean extendsLibrary(ClassNode node) {
    Set<String> parents = new TreeSet<>(node.interfaces);
    if (node.superName != null) {
      parents.add(node.superName);
    }
    parents.removeAll(Set.of("java/lang/Object", "java/lang/Record", "java/lang/Cloneable"));
    for (String parent : parents) {
      ClassNode known = classes.get(parent);
      if (known == null || extendsLibrary(known)) {
        return true;
      }
    }
    return false;
  }

  /** Adds the methods, and all that they may call. */
  private void reach(Set<Method> from, Set<Method> all) {
    Deque<Method> open = new ArrayDeque<>(from);
    while (!open.isEmpty()) {
      Method method = open.pop();
      if (all.add(method)) {
        for (AbstractInsnNode instruction : method.node.instructions) {
          if (instruction instanceof MethodInsnNode call) {
            boolean isExact =
                call.getOpcode() == Opcodes.INVOKESTATIC
                    || call.getOpcode() == Opcodes.INVOKESPECIAL;
            open.addAll(callees(call.owner, call.name, call.desc, isExact));
          }
        }
      }
    }
  }

  /** The program's methods that a call may reach. */
  private Set<Method> callees(String owner, String name, String descriptor, boolean isExact) {
    Set<Method> all = bySignature.getOrDefault(name + descriptor, Set.of());
    if (!isExact || all.isEmpty()) {
      return all;
    }
    String declaring = hierarchy.declaring(loader, owner, name, descriptor);
    Set<Method> exact = new HashSet<>(all);
    exact.removeIf(method -> !method.owner.name.equals(declaring));
    return exact;
  }

  /** Looks for what the analysis cannot follow, and for tasks that are left running. */
  private void look(Method method) {
    if ((method.node.access & Opcodes.ACC_NATIVE) != 0) {
      unknown = method.text() + " is native";
    }
    for (AbstractInsnNode instruction : method.node.instructions) {
      if (instruction instanceof InvokeDynamicInsnNode dynamic
          && !KNOWN_BOOTSTRAPS.contains(dynamic.bsm.getOwner())) {
        unknown = method.text() + " has a call that " + dynamic.bsm.getOwner() + " links";
      }
      if (instruction instanceof InvokeDynamicInsnNode dynamic) {
        for (Object argument : dynamic.bsmArgs) {
          if (argument instanceof Handle handle) {
            look(method, handle.getOwner(), handle.getName(), handle.getDesc());
          }
        }
      }
      if (instruction instanceof MethodInsnNode call) {
        look(method, call.owner, call.name, call.desc);
      }
    }
  }

  private void look(Method caller, String owner, String name, String descriptor) {
    String declaring = hierarchy.declaring(loader, owner, name, descriptor);
    if (!classes.containsKey(declaring) && !declaring.startsWith("[")) {
      String what = caller.text() + " calls " + declaring.replace('/', '.') + "." + name;
      if (LibraryBehaviour.isUnseen(declaring, name)) {
        unknown = what;
      } else if (LibraryBehaviour.leavesRunning(declaring, name)) {
        leftRunning = what;
      }
    }
  }

  private void addWrites(Method method) {
    if (method.node.name.equals("<clinit>")) {
      // It is over before any use of its class, and not checked.
      return;
    }
    CheckedFields fields = new CheckedFields(method.owner, loader, hierarchy);
    for (AbstractInsnNode instruction : method.node.instructions) {
      int opcode = instruction.getOpcode();
      if (opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC) {
        fields.variable((FieldInsnNode) instruction).ifPresent(writes::field);
      } else if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
        writes.element(opcode);
      }
    }
  }

  /** The library may write every array that it is given, then or later, in parallel or not. */
  private void addLibraryWrites(Method method) {
    for (AbstractInsnNode instruction : method.node.instructions) {
      if (instruction instanceof MethodInsnNode call && !classes.containsKey(call.owner)) {
        if (call.name.equals("arraycopy")) {
          writes.allElements();
        }
        Arrays.stream(Type.getArgumentTypes(call.desc))
            .filter(type -> type.getSort() == Type.ARRAY)
            .forEach(type -> writes.elementsOf(component(type.getDescriptor().charAt(1))));
      }
    }
  }

  private static char component(char letter) {
    return letter == 'L' ? '[' : letter;
  }
}
