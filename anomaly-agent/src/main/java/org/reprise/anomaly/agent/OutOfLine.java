package org.reprise.anomaly.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Keeps the compiler from inlining the way to the detector, by the annotation with which the JDK
 * does so. The virtual machine heeds it in classes of the boot class path, where the hooks are; the
 * compiler that builds them must not name it.
 */
final class OutOfLine implements ClassFileTransformer {
  private static final String CHECKS = "org/reprise/anomaly/hooks/Checks";
  private static final String DONT_INLINE = "Ljdk/internal/vm/annotation/DontInline;";

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (!CHECKS.equals(name)) {
      return null;
    }
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, 0);
    for (MethodNode method : node.methods) {
      method.visibleAnnotations = new ArrayList<>();
      method.visibleAnnotations.add(new AnnotationNode(DONT_INLINE));
    }
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }
}
