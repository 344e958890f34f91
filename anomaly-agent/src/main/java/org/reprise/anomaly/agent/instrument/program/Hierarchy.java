package org.reprise.anomaly.agent.instrument.program;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * What classes declare and extend, read from their class files. Classes are never loaded for it:
 * loading one while another is being defined changes the order of initialisation, or deadlocks.
 */
public final class Hierarchy {
  /**
   * A class without code; fields and methods keep their flags. Names are internal, with slashes.
   */
  private final Map<ClassLoader, Map<String, Optional<ClassNode>>> known = new WeakHashMap<>();

  private final Map<ClassLoader, Map<String, Boolean>> givingThisAway = new WeakHashMap<>();

  /** The class that declares the field which {@code owner.field} means. */
  public Optional<Field> field(@Nullable ClassLoader loader, String owner, String field) {
    Optional<ClassNode> found = find(loader, owner);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    ClassNode node = found.get();
    for (FieldNode candidate : node.fields) {
      if (candidate.name.equals(field)) {
        return Optional.of(new Field(owner, candidate.access));
      }
    }
    for (String parent : parents(node)) {
      Optional<Field> inherited = field(loader, parent, field);
      if (inherited.isPresent()) {
        return inherited;
      }
    }
    return Optional.empty();
  }

  /** Whether a field is volatile; one that nobody can look up might be. */
  boolean isVolatile(@Nullable ClassLoader loader, FieldInsnNode access) {
    return field(loader, access.owner, access.name).map(Field::isVolatile).orElse(true);
  }

  /** The class that a call of {@code owner.name} reaches first, going up from {@code owner}. */
  public String declaring(
      @Nullable ClassLoader loader, String owner, String name, String descriptor) {
    return method(loader, owner, name, descriptor).orElse(owner);
  }

  private Optional<String> method(
      @Nullable ClassLoader loader, String owner, String name, String descriptor) {
    Optional<ClassNode> found = find(loader, owner);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    ClassNode node = found.get();
    for (MethodNode candidate : node.methods) {
      if (candidate.name.equals(name) && candidate.desc.equals(descriptor)) {
        return Optional.of(owner);
      }
    }
    for (String parent : parents(node)) {
      Optional<String> inherited = method(loader, parent, name, descriptor);
      if (inherited.isPresent()) {
        return inherited;
      }
    }
    return Optional.empty();
  }

  /** Whether {@code name} is {@code ancestor} or extends or implements it. */
  public boolean isSubtype(@Nullable ClassLoader loader, String name, String ancestor) {
    if (name.equals(ancestor)) {
      return true;
    }
    return find(loader, name).stream()
        .flatMap(node -> parents(node).stream())
        .anyMatch(parent -> isSubtype(loader, parent, ancestor));
  }

  private static List<String> parents(ClassNode node) {
    List<String> parents = new ArrayList<>();
    if (node.superName != null) {
      parents.add(node.superName);
    }
    parents.addAll(node.interfaces);
    return parents;
  }

  /** The class file of {@code name} as {@code loader} sees it. */
  public synchronized Optional<ClassNode> find(@Nullable ClassLoader loader, String name) {
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    return known
        .computeIfAbsent(from, any -> new HashMap<>())
        .computeIfAbsent(
            name, any -> read(from, name, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG));
  }

  /** Whether a constructor of the class lets others see final fields before they are set. */
  synchronized boolean givesThisAway(@Nullable ClassLoader loader, String name) {
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    return givingThisAway
        .computeIfAbsent(from, any -> new HashMap<>())
        .computeIfAbsent(
            name, any -> withCode(from, name).filter(EarlyThis::isGivenAway).isPresent());
  }

  /** The class file of {@code name} with its code, which is not kept. */
  Optional<ClassNode> withCode(@Nullable ClassLoader loader, String name) {
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    return read(from, name, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  private static Optional<ClassNode> read(ClassLoader loader, String name, int parts) {
    try (InputStream file = loader.getResourceAsStream(name + ".class")) {
      if (file == null) {
        return Optional.empty();
      }
      ClassNode node = new ClassNode();
      new ClassReader(file).accept(node, parts);
      return Optional.of(node);
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Where a field is declared, and its flags. */
  public record Field(String owner, int access) {
    public boolean isFinal() {
      return (access & Opcodes.ACC_FINAL) != 0;
    }

    public boolean isVolatile() {
      return (access & Opcodes.ACC_VOLATILE) != 0;
    }
  }
}
