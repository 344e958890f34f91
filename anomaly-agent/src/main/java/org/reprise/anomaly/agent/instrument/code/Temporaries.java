package org.reprise.anomaly.agent.instrument.code;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Local variables that the instrumented method has more than the original: one slot each, behind
 * all others, set at the start of the method, so that they hold something wherever control goes.
 */
public final class Temporaries {
  public static final String OBJECT = "java/lang/Object";

  private final int first;
  private final List<Object> types = new ArrayList<>();

  public Temporaries(int first) {
    this.first = first;
  }

  public int newInt() {
    types.add(Opcodes.INTEGER);
    return first + types.size() - 1;
  }

  public int newReference(String type) {
    types.add(type);
    return first + types.size() - 1;
  }

  public int count() {
    return types.size();
  }

  /** As frames list them. */
  public List<Object> types() {
    return types;
  }

  public InsnList initialization() {
    InsnList code = new InsnList();
    for (int i = 0; i < types.size(); i++) {
      boolean isInt = types.get(i) == Opcodes.INTEGER;
      code.add(new InsnNode(isInt ? Opcodes.ICONST_0 : Opcodes.ACONST_NULL));
      code.add(new VarInsnNode(isInt ? Opcodes.ISTORE : Opcodes.ASTORE, first + i));
    }
    return code;
  }
}
