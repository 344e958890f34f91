package org.reprise.anomaly.agent.instrument.code;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** What instrumented code calls, by its names in class files. */
public final class HookNames {
  private static final String PACKAGE = "org/reprise/anomaly/hooks/";
  private static final String HOOKS = PACKAGE + "Hooks";
  private static final String RANGES = PACKAGE + "Ranges";
  private static final String WAITS = PACKAGE + "Waits";
  public static final String CONTEXT = PACKAGE + "Context";
  public static final String GENERATORS = PACKAGE + "Generators";
  public static final String INDICES = PACKAGE + "Indices";
  public static final String RECTANGLE = PACKAGE + "Rectangle";
  public static final String ROUTE = PACKAGE + "Route";
  static final String SHADOWS = PACKAGE + "Shadows";
  public static final String L_CONTEXT = "L" + CONTEXT + ";";
  public static final String L_INDICES = "L" + INDICES + ";";
  public static final String L_OBJECT = "Ljava/lang/Object;";
  public static final String L_COLLECTION = "Ljava/util/Collection;";
  public static final String L_PLACE = "L" + SHADOWS + "$Place;";
  public static final String L_RECTANGLE = "L" + RECTANGLE + ";";
  public static final String L_ROUTE = "L" + ROUTE + ";";
  static final String L_SHADOW = "L" + PACKAGE + "Shadow;";

  private HookNames() {}

  public static MethodInsnNode hook(String name, String descriptor) {
    return call(HOOKS, name, descriptor);
  }

  /** A call that asks for something about ranges, and reports nothing. */
  public static MethodInsnNode ranges(String name, String descriptor) {
    return call(RANGES, name, descriptor);
  }

  /** A call that reports something about waiting for a variable. */
  public static MethodInsnNode waits(String name, String descriptor) {
    return call(WAITS, name, descriptor);
  }

  public static MethodInsnNode call(String owner, String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
  }
}
