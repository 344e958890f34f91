package org.reprise.anomaly.agent.instrument;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** What instrumented code calls, by its names in class files. */
final class HookNames {
  private static final String PACKAGE = "org/reprise/anomaly/hooks/";
  private static final String HOOKS = PACKAGE + "Hooks";
  private static final String RANGES = PACKAGE + "Ranges";
  static final String CONTEXT = PACKAGE + "Context";
  static final String GENERATORS = PACKAGE + "Generators";
  static final String INDICES = PACKAGE + "Indices";
  static final String RECTANGLE = PACKAGE + "Rectangle";
  static final String ROUTE = PACKAGE + "Route";
  static final String SHADOWS = PACKAGE + "Shadows";
  static final String L_CONTEXT = "L" + CONTEXT + ";";
  static final String L_INDICES = "L" + INDICES + ";";
  static final String L_OBJECT = "Ljava/lang/Object;";
  static final String L_COLLECTION = "Ljava/util/Collection;";
  static final String L_PLACE = "L" + SHADOWS + "$Place;";
  static final String L_RECTANGLE = "L" + RECTANGLE + ";";
  static final String L_ROUTE = "L" + ROUTE + ";";
  static final String L_SHADOW = "L" + PACKAGE + "Shadow;";

  private HookNames() {}

  static MethodInsnNode hook(String name, String descriptor) {
    return call(HOOKS, name, descriptor);
  }

  /** A call that asks for something about ranges, and reports nothing. */
  static MethodInsnNode ranges(String name, String descriptor) {
    return call(RANGES, name, descriptor);
  }

  static MethodInsnNode call(String owner, String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
  }
}
