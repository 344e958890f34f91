package org.reprise.anomaly.agent.instrument;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/** What instrumented code calls, by its names in class files. */
final class HookNames {
  static final String HOOKS = "org/reprise/anomaly/hooks/Hooks";
  static final String CONTEXT = "org/reprise/anomaly/hooks/Context";
  static final String RECTANGLE = "org/reprise/anomaly/hooks/Rectangle";
  static final String INDICES = "org/reprise/anomaly/hooks/Indices";
  static final String ROUTE = "org/reprise/anomaly/hooks/Route";
  static final String L_CONTEXT = "L" + CONTEXT + ";";
  static final String L_RECTANGLE = "L" + RECTANGLE + ";";
  static final String L_INDICES = "L" + INDICES + ";";
  static final String L_ROUTE = "L" + ROUTE + ";";
  static final String L_OBJECT = "Ljava/lang/Object;";

  private HookNames() {}

  static MethodInsnNode hook(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, name, descriptor, false);
  }
}
