package org.reprise.anomaly.agent.instrument;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** Which calls of library methods are reported: those on objects that are variables themselves. */
public final class LibraryCalls {
  private static final List<String> PACKAGES = List.of("java/util/", "java/text/");

  private static final List<String> NO_VARIABLES =
      List.of(
          "java/util/function/",
          "java/util/stream/",
          "java/util/regex/",
          "java/util/Optional",
          "java/util/Objects",
          "java/util/Locale",
          "java/util/UUID");

  private static final Set<String> CLASSES =
      Set.of("java/lang/StringBuilder", "java/lang/StringBuffer", "java/lang/Iterable");

  /** Methods whose result leads back to the receiver. */
  private static final Set<String> VIEWS =
      Set.of(
          "iterator",
          "listIterator",
          "descendingIterator",
          "subList",
          "keySet",
          "values",
          "entrySet",
          "headMap",
          "tailMap",
          "subMap",
          "headSet",
          "tailSet",
          "subSet",
          "descendingMap",
          "descendingSet",
          "navigableKeySet",
          "descendingKeySet",
          "readLock",
          "writeLock",
          "reversed");

  private LibraryCalls() {}

  /** Whether the call is one on an object that is a variable of its own, such as a collection. */
  public static boolean isReported(
      MethodInsnNode call, @Nullable ClassLoader loader, Hierarchy hierarchy) {
    if (call.getOpcode() == Opcodes.INVOKESTATIC
        || call.name.equals("<init>")
        || call.owner.startsWith("[")) {
      return false;
    }
    String owner = call.owner;
    if (!Scope.isLibrary(owner.replace('/', '.'))) {
      owner = hierarchy.declaring(loader, owner, call.name, call.desc);
    }
    return isVariable(owner);
  }

  private static boolean isVariable(String owner) {
    return CLASSES.contains(owner)
        || (PACKAGES.stream().anyMatch(owner::startsWith)
            && NO_VARIABLES.stream().noneMatch(owner::startsWith));
  }

  /** Whether the call returns something through which its receiver can be changed or read. */
  public static boolean returnsView(MethodInsnNode call) {
    return VIEWS.contains(call.name);
  }

  /** Whether the call has the lock when it returns. */
  public static boolean takesLock(MethodInsnNode call) {
    return isLock(call) && (call.name.equals("lock") || call.name.equals("lockInterruptibly"));
  }

  /** Whether the call has the lock if it returns true. */
  public static boolean triesLock(MethodInsnNode call) {
    return isLock(call) && call.name.equals("tryLock");
  }

  /** Whether the call gives the lock back. */
  public static boolean givesLock(MethodInsnNode call) {
    return isLock(call) && call.name.equals("unlock");
  }

  private static boolean isLock(MethodInsnNode call) {
    return call.owner.startsWith("java/util/concurrent/locks/");
  }
}
