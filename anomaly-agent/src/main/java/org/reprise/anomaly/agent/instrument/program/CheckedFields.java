package org.reprise.anomaly.agent.instrument.program;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;

/**
 * Which fields are variables: all but those of the library and final ones, as long as nobody sees
 * them before they are set.
 */
public final class CheckedFields {
  private final ClassNode owner;
  private final @Nullable ClassLoader loader;
  private final Hierarchy hierarchy;

  public CheckedFields(ClassNode owner, @Nullable ClassLoader loader, Hierarchy hierarchy) {
    this.owner = owner;
    this.loader = loader;
    this.hierarchy = hierarchy;
  }

  /** The variable that an instruction accesses; empty if its accesses are not checked. */
  public Optional<Variable> variable(FieldInsnNode access) {
    Optional<Hierarchy.Field> found = declared(access);
    String declaring = found.map(Hierarchy.Field::owner).orElse(access.owner).replace('/', '.');
    if (Scope.isLibrary(declaring)) {
      return Optional.empty();
    }
    boolean isStatic =
        access.getOpcode() == Opcodes.GETSTATIC || access.getOpcode() == Opcodes.PUTSTATIC;
    if (found.isPresent()
        && found.get().isFinal()
        && (isStatic || !hierarchy.givesThisAway(loader, found.get().owner()))) {
      return Optional.empty();
    }
    boolean isVolatile = found.map(Hierarchy.Field::isVolatile).orElse(false);
    return Optional.of(new Variable(declaring, access.name, isStatic, isVolatile));
  }

  public boolean isFinal(FieldInsnNode access) {
    return declared(access).filter(Hierarchy.Field::isFinal).isPresent();
  }

  /** Whether a field of this very class never changes when anybody sees it. */
  public boolean isOwnConstant(FieldInsnNode access) {
    return access.owner.equals(owner.name)
        && owner.fields.stream().anyMatch(field -> field.name.equals(access.name))
        && isFinal(access)
        && variable(access).isEmpty();
  }

  /**
   * The topmost class of the program's that a class extends, or itself: objects hold one shadow for
   * all of them. Empty if one of these cannot be looked up.
   */
  public Optional<String> topmost(String name) {
    Optional<String> above =
        name.equals(owner.name)
            ? Optional.ofNullable(owner.superName)
            : hierarchy.find(loader, name).map(found -> found.superName);
    return above.flatMap(
        found -> Scope.isLibrary(found.replace('/', '.')) ? Optional.of(name) : topmost(found));
  }

  private Optional<Hierarchy.Field> declared(FieldInsnNode access) {
    if (access.owner.equals(owner.name)) {
      Optional<Hierarchy.Field> own =
          owner.fields.stream()
              .filter(field -> field.name.equals(access.name))
              .map(field -> new Hierarchy.Field(owner.name, field.access))
              .findFirst();
      if (own.isPresent()) {
        return own;
      }
    }
    return hierarchy.field(loader, access.owner, access.name);
  }
}
