package org.reprise.anomaly.agent;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What the program itself declares intended, by {@link org.reprise.anomaly.hooks.Intended}. */
final class Intentions {
  private static final String INTENDED = "Lorg/reprise/anomaly/hooks/Intended;";

  private final Set<String> names = new ConcurrentSkipListSet<>();

  /** Names for a mask: classes, and fields and methods with their class. */
  List<String> names() {
    return List.copyOf(names);
  }

  void read(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    String className = reader.getClassName().replace('/', '.');
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public @Nullable AnnotationVisitor visitAnnotation(String type, boolean visible) {
            note(type, className);
            return null;
          }

          @Override
          public FieldVisitor visitField(
              int access,
              String name,
              String type,
              @Nullable String generic,
              @Nullable Object value) {
            return new FieldVisitor(Opcodes.ASM9) {
              @Override
              public @Nullable AnnotationVisitor visitAnnotation(String kind, boolean visible) {
                note(kind, className + "." + name);
                return null;
              }
            };
          }

          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String type,
              @Nullable String generic,
              String @Nullable [] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {
              @Override
              public @Nullable AnnotationVisitor visitAnnotation(String kind, boolean visible) {
                note(kind, className + "." + name);
                return null;
              }
            };
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  private void note(String annotation, String name) {
    if (annotation.equals(INTENDED)) {
      names.add(name);
    }
  }
}
