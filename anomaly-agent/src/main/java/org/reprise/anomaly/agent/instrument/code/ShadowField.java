package org.reprise.anomaly.agent.instrument.code;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.reprise.anomaly.hooks.Shadows;

/**
 * The field in which objects hold their shadow. Private and transient, so that serial versions and
 * serial forms stay as they are.
 */
public final class ShadowField {
  private static final int FLAGS =
      Opcodes.ACC_PRIVATE | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC;

  private ShadowField() {}

  /** Adds it to a class that has fields which may change. */
  public static void addTo(ClassNode node) {
    boolean isClass = (node.access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_MODULE)) == 0;
    if (isClass && node.fields.stream().anyMatch(ShadowField::mayChange)) {
      node.fields.add(new FieldNode(FLAGS, Shadows.FIELD, HookNames.L_SHADOW, null, null));
    }
  }

  private static boolean mayChange(FieldNode field) {
    return (field.access & (Opcodes.ACC_STATIC | Opcodes.ACC_FINAL)) == 0;
  }
}
