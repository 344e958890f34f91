package org.reprise.anomaly.agent.jdk;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Makes the JDK's classes report to {@link org.reprise.anomaly.hooks.Blocks}. */
public final class JdkClasses implements ClassFileTransformer {
  private static final String BLOCKS = "org/reprise/anomaly/hooks/Blocks";
  private static final String PIPELINE = "java/util/stream/AbstractPipeline";
  private static final String COMPLETER = "java/util/concurrent/CountedCompleter";
  private static final String EXECUTOR = "java/util/concurrent/ThreadPoolExecutor";
  private static final String FUTURE = "java/util/concurrent/CompletableFuture";
  private static final String BARRIER = "java/util/concurrent/CyclicBarrier";
  private static final String PHASER = "java/util/concurrent/Phaser";

  /** What is changed inside classes, besides the points: the self-test of each looks for it. */
  private static final Map<String, Set<String>> REPLACED =
      Map.of(
          PIPELINE,
          Set.of("copyInto", "copyIntoWithCancel"),
          COMPLETER,
          Set.of("onCompletion"),
          EXECUTOR,
          Set.of("runWorker"),
          BARRIER,
          Set.of("dowait"),
          PHASER,
          Set.of("arriveAndAwaitAdvance"),
          FUTURE,
          Set.of("newIncompleteFuture", "toCompletableFuture", "apply", "accept", "run"),
          FUTURE + "$UniCompletion",
          Set.of("execute"));

  private final Set<String> names =
      Arrays.stream(Point.values()).map(Point::owner).collect(Collectors.toSet());
  private final Consumer<String> warnings;

  public JdkClasses(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  /** Retransforms what is loaded already; the rest follows when it is loaded. */
  public void install(Instrumentation instrumentation) {
    Families.load();
    instrumentation.addTransformer(this, true);
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getClassLoader() == null && isWanted(type.getName().replace('.', '/'))) {
        loaded.add(type);
      }
    }
    try {
      // One that is not needed for the program's first class may not be loaded yet; these are.
      loaded.add(Class.forName("java.util.stream.AbstractPipeline"));
      loaded.add(Class.forName("java.util.concurrent.ForkJoinTask"));
      instrumentation.retransformClasses(loaded.stream().distinct().toArray(Class<?>[]::new));
    } catch (UnmodifiableClassException | ClassNotFoundException | LinkageError e) {
      warnings.accept("this JDK's classes cannot be followed: " + e);
    }
  }

  private boolean isWanted(String name) {
    return names.contains(Families.family(name));
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || loader != null || !isWanted(name)) {
      return null;
    }
    try {
      return rewrite(classFile);
    } catch (RuntimeException e) {
      warnings.accept(name.replace('/', '.') + " of this JDK cannot be followed: " + e);
      return null;
    }
  }

  /** Methods that stay as they are, which are most, are copied without a look into them. */
  private byte[] rewrite(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    String owner = reader.getClassName();
    JdkShape shape = new JdkShape(owner, REPLACED.getOrDefault(owner, Set.of()));
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    ClassVisitor changing =
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            if (!mayChange(owner, access, name, descriptor)) {
              return next;
            }
            return new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
              @Override
              public void visitEnd() {
                change(owner, this, shape);
                accept(next);
              }
            };
          }
        };
    reader.accept(changing, ClassReader.EXPAND_FRAMES);
    if (!shape.missing().isEmpty()) {
      warnings.accept(
          owner.replace('/', '.')
              + " of this JDK cannot be followed: it has no "
              + String.join(", no ", shape.missing()));
    }
    return writer.toByteArray();
  }

  private static boolean mayChange(String owner, int access, String name, String descriptor) {
    if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
      return false;
    }
    return owner.equals(COMPLETER)
        || isOfStages(owner)
        || REPLACED.getOrDefault(owner, Set.of()).contains(name)
        || Arrays.stream(Point.values()).anyMatch(at -> at.contains(owner, name, descriptor));
  }

  private static void change(String owner, MethodNode method, JdkShape shape) {
    if (owner.equals(PIPELINE)
        && (method.name.equals("copyInto") || method.name.equals("copyIntoWithCancel"))) {
      traverse(method, method.name.equals("copyIntoWithCancel"));
      shape.replaced(method.name);
    }
    if (owner.equals(COMPLETER) && complete(method)) {
      shape.replaced("onCompletion");
    }
    boolean runs =
        (owner.equals(EXECUTOR) && method.name.equals("runWorker"))
            || (owner.equals(BARRIER) && method.name.equals("dowait"));
    if (runs && run(method)) {
      shape.replaced(method.name);
    }
    if (owner.equals(PHASER) && method.name.equals("arriveAndAwaitAdvance") && advance(method)) {
      shape.replaced(method.name);
    }
    if (isOfStages(owner)) {
      stages(method, shape);
    }
    for (Point point : Point.values()) {
      boolean isBridge = (method.access & Opcodes.ACC_BRIDGE) != 0;
      if (!isBridge && point.contains(owner, method.name, method.desc)) {
        AroundMethod around = new AroundMethod(owner, method, point.ordinal());
        if (point == Point.ORDERED) {
          OrderedActions actions = new OrderedActions(owner, method);
          around.insert();
          actions.insert();
        } else {
          around.insert();
        }
        shape.found(point);
        if (point == Point.JOIN) {
          joined(method);
        }
        if (point == Point.ARRAY_FUNCTION) {
          follow(method);
        }
      }
    }
  }

  private static boolean isOfStages(String owner) {
    return owner.equals(FUTURE) || Families.family(owner).equals(Families.COMPLETION);
  }

  /**
   * A stage tells when its function is due, which is when everything before it was seen; when it
   * has made its own future; and which future its function returned.
   */
  private static void stages(MethodNode method, JdkShape shape) {
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      if (!(instruction instanceof MethodInsnNode call)) {
        continue;
      }
      InsnList code = new InsnList();
      if (call.name.equals("newIncompleteFuture") || call.name.equals("toCompletableFuture")) {
        Point point = call.name.equals("newIncompleteFuture") ? Point.NEW_FUTURE : Point.COMPOSED;
        code.add(new InsnNode(Opcodes.DUP));
        code.add(new LdcInsnNode(point.ordinal()));
        code.add(
            new MethodInsnNode(
                Opcodes.INVOKESTATIC, BLOCKS, "returned", "(Ljava/lang/Object;I)V", false));
        method.instructions.insert(call, code);
        shape.replaced(call.name);
      } else if (call.owner.startsWith("java/util/function/")
          || (call.owner.equals("java/lang/Runnable") && call.name.equals("run"))
          || call.owner.equals("java/util/concurrent/Executor")) {
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, BLOCKS, "fires", "()V", false));
        method.instructions.insertBefore(call, code);
        shape.replaced(call.name);
      }
    }
  }

  /** The last argument is a function: one that makes a block of each call is called instead. */
  private static void follow(MethodNode method) {
    Type[] arguments = Type.getArgumentTypes(method.desc);
    Type function = arguments[arguments.length - 1];
    int slot = 0;
    for (int i = 0; i < arguments.length - 1; i++) {
      slot += arguments[i].getSize();
    }
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ALOAD, slot));
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC,
            BLOCKS,
            "function",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
            false));
    code.add(new TypeInsnNode(Opcodes.CHECKCAST, function.getInternalName()));
    code.add(new VarInsnNode(Opcodes.ASTORE, slot));
    method.instructions.insert(code);
  }

  /** Elements come from a spliterator that opens a block around each. */
  private static void traverse(MethodNode method, boolean isCancelled) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ALOAD, 2));
    code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    code.add(new InsnNode(isCancelled ? Opcodes.ICONST_1 : Opcodes.ICONST_0));
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC,
            BLOCKS,
            "traverse",
            "(Ljava/util/Spliterator;Ljava/lang/Object;Z)Ljava/util/Spliterator;",
            false));
    code.add(new TypeInsnNode(Opcodes.CHECKCAST, "java/util/Spliterator"));
    code.add(new VarInsnNode(Opcodes.ASTORE, 2));
    method.instructions.insert(code);
  }

  /** A completer's onCompletion runs through us. */
  private static boolean complete(MethodNode method) {
    boolean found = false;
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      if (instruction instanceof MethodInsnNode call
          && call.getOpcode() == Opcodes.INVOKEVIRTUAL
          && call.owner.equals(COMPLETER)
          && call.name.equals("onCompletion")) {
        method.instructions.set(
            call,
            new MethodInsnNode(
                Opcodes.INVOKESTATIC,
                BLOCKS,
                "complete",
                "(L" + COMPLETER + ";L" + COMPLETER + ";)V",
                false));
        found = true;
      }
    }
    return found;
  }

  /** Whoever waited for a task knows what it did before asking for its result. */
  private static void joined(MethodNode method) {
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      if (instruction instanceof MethodInsnNode call && call.name.equals("getRawResult")) {
        InsnList code = new InsnList();
        code.add(new InsnNode(Opcodes.DUP));
        code.add(
            new MethodInsnNode(
                Opcodes.INVOKESTATIC, BLOCKS, "joined", "(Ljava/lang/Object;)V", false));
        method.instructions.insertBefore(call, code);
      }
    }
  }

  /** Who came last at a phaser at which all wait tells before it ends the phase. */
  private static boolean advance(MethodNode method) {
    boolean found = false;
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      if (instruction instanceof MethodInsnNode call && call.name.equals("onAdvance")) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(Opcodes.ALOAD, 0));
        code.add(new LdcInsnNode(Point.PHASER_ADVANCE.ordinal()));
        code.add(
            new MethodInsnNode(
                Opcodes.INVOKESTATIC, BLOCKS, "returned", "(Ljava/lang/Object;I)V", false));
        method.instructions.insertBefore(call, code);
        found = true;
      }
    }
    return found;
  }

  /** A pool's worker runs its tasks through us, and a barrier its action. */
  private static boolean run(MethodNode method) {
    boolean found = false;
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      if (instruction instanceof MethodInsnNode call
          && call.owner.equals("java/lang/Runnable")
          && call.name.equals("run")) {
        method.instructions.set(
            call,
            new MethodInsnNode(
                Opcodes.INVOKESTATIC, BLOCKS, "run", "(Ljava/lang/Runnable;)V", false));
        found = true;
      }
    }
    return found;
  }
}
