package org.reprise.anomaly.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Gives the hooks what the compiler that builds them must not name, since it belongs to the JDK.
 *
 * <p>{@code Checks} is not inlined: the virtual machine heeds the annotation with which the JDK
 * says so in classes of the boot class path. {@code Shadows} reads and writes a field by its
 * offset.
 */
final class HookClasses implements ClassFileTransformer {
  private static final String HOOKS = "org/reprise/anomaly/hooks/";
  private static final String DONT_INLINE = "Ljdk/internal/vm/annotation/DontInline;";
  private static final String UNSAFE = "jdk/internal/misc/Unsafe";

  /** What the methods of {@code Shadows} call, with their own arguments. */
  private static final Map<String, String> UNSAFE_METHODS =
      Map.of(
          "offsetAt", "objectFieldOffset(Ljava/lang/Class;Ljava/lang/String;)J",
          "getAt", "getReference(Ljava/lang/Object;J)Ljava/lang/Object;",
          "replaceAt",
              "compareAndSetReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z");

  /** Before any class of the hooks is loaded but the first, whose module it asks for. */
  static void install(Instrumentation instrumentation, Module hooks) {
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.misc", Set.of(hooks)),
        Map.of(),
        Set.of(),
        Map.of());
    instrumentation.addTransformer(new HookClasses());
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || !name.startsWith(HOOKS)) {
      return null;
    }
    boolean isChecks = name.equals(HOOKS + "Checks");
    if (!isChecks && !name.equals(HOOKS + "Shadows")) {
      return null;
    }
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, 0);
    for (MethodNode method : node.methods) {
      if (isChecks) {
        method.visibleAnnotations = new ArrayList<>();
        method.visibleAnnotations.add(new AnnotationNode(DONT_INLINE));
      } else if (UNSAFE_METHODS.containsKey(method.name)) {
        callUnsafe(method, UNSAFE_METHODS.get(method.name));
      }
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    node.accept(writer);
    return writer.toByteArray();
  }

  private static void callUnsafe(MethodNode method, String called) {
    int descriptor = called.indexOf('(');
    InsnList code = new InsnList();
    code.add(
        new MethodInsnNode(Opcodes.INVOKESTATIC, UNSAFE, "getUnsafe", "()L" + UNSAFE + ";", false));
    int slot = 0;
    for (Type type : Type.getArgumentTypes(method.desc)) {
      code.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), slot));
      slot += type.getSize();
    }
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKEVIRTUAL,
            UNSAFE,
            called.substring(0, descriptor),
            called.substring(descriptor),
            false));
    Type result = Type.getReturnType(method.desc);
    if (result.getSort() == Type.OBJECT) {
      code.add(new TypeInsnNode(Opcodes.CHECKCAST, result.getInternalName()));
    }
    code.add(new InsnNode(result.getOpcode(Opcodes.IRETURN)));
    method.instructions = code;
    method.localVariables = null;
    method.tryCatchBlocks.clear();
  }
}
