package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.ranges;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.HookCode;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;

/**
 * Code that computes arrays and numbers of a {@link Footprint} from what the method is entered
 * with, each of them once.
 */
final class Computation {
  private final Footprint footprint;
  private final HookCode hooks;
  private final InsnList code;
  private final Map<Value, Integer> arrays = new HashMap<>();
  private final Map<Polynomial, Integer> numbers = new HashMap<>();

  /**
   * @param code where it is added; nothing there may be jumped over
   */
  Computation(Footprint footprint, HookCode hooks, InsnList code) {
    this.footprint = footprint;
    this.hooks = hooks;
    this.code = code;
  }

  void loadArray(Value array) {
    code.add(new VarInsnNode(Opcodes.ALOAD, array(array)));
  }

  /** Where a range ends: with gaps, at the element that would follow. */
  void loadEnd(FootprintReports.Place place) {
    load(place.to());
    if (place.stride() > 1) {
      load(place.from());
      code.add(number(place.stride()));
      code.add(ranges("end", "(III)I"));
    }
  }

  /** The local variable that holds an array, which is looked up the first time. */
  private int array(Value array) {
    if (array.kind == Value.Kind.ENTRY) {
      return array.number;
    }
    Integer known = arrays.get(array);
    if (known != null) {
      return known;
    }
    if (array.instruction instanceof FieldInsnNode field) {
      read(field);
    } else {
      code.add(
          new VarInsnNode(Opcodes.ALOAD, array(same(footprint.values().operand(array.node, 1)))));
      load(polynomial(footprint.values().operand(array.node, 0)));
      code.add(ranges("row", "(" + L_OBJECT + "I)" + L_OBJECT));
    }
    int local = hooks.local(1);
    code.add(new VarInsnNode(Opcodes.ASTORE, local));
    arrays.put(array, local);
    return local;
  }

  /** A field of this, or of the class. */
  private void read(FieldInsnNode field) {
    if (field.getOpcode() == Opcodes.GETFIELD) {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    }
    code.add(new FieldInsnNode(field.getOpcode(), field.owner, field.name, field.desc));
  }

  private Value same(Value value) {
    return footprint.region().same(value);
  }

  private Polynomial polynomial(Value value) {
    return footprint.region().polynomial(value);
  }

  static AbstractInsnNode number(int number) {
    return number >= -1 && number <= 5
        ? new InsnNode(Opcodes.ICONST_0 + number)
        : new LdcInsnNode(number);
  }

  void load(Polynomial number) {
    if (number.isConstant()) {
      code.add(number(number.constant()));
    } else {
      code.add(new VarInsnNode(Opcodes.ILOAD, number(number)));
    }
  }

  /** The local variable that holds a number, which is computed the first time. */
  private int number(Polynomial number) {
    Integer known = numbers.get(number);
    if (known != null) {
      return known;
    }
    boolean isSum = false;
    for (Map.Entry<List<Value>, Integer> term : number.terms().entrySet()) {
      List<Value> factors = term.getKey();
      int times = term.getValue();
      boolean isProduct = times != 1 || factors.isEmpty();
      if (isProduct) {
        code.add(number(times));
      }
      for (Value factor : factors) {
        compute(factor);
        if (isProduct) {
          code.add(new InsnNode(Opcodes.IMUL));
        }
        isProduct = true;
      }
      if (isSum) {
        code.add(new InsnNode(Opcodes.IADD));
      }
      isSum = true;
    }
    int local = hooks.local(1);
    code.add(new VarInsnNode(Opcodes.ISTORE, local));
    numbers.put(number, local);
    return local;
  }

  /** Arrays may have to be looked up before the number that needs them. */
  private void compute(Value value) {
    if (value.kind == Value.Kind.CONSTANT) {
      code.add(number(value.number));
    } else if (value.kind == Value.Kind.ENTRY) {
      code.add(new VarInsnNode(Opcodes.ILOAD, value.number));
    } else if (value.kind == Value.Kind.OPERATION && value.left != null && value.right != null) {
      compute(same(value.left));
      compute(same(value.right));
      code.add(new InsnNode(value.number));
    } else if (value.instruction instanceof FieldInsnNode field) {
      read(field);
    } else if (value.opcode() == Opcodes.ARRAYLENGTH) {
      code.add(
          new VarInsnNode(Opcodes.ALOAD, array(same(footprint.values().operand(value.node, 0)))));
      code.add(ranges("length", "(" + L_OBJECT + ")I"));
    } else {
      compute(same(footprint.values().operand(value.node, 1)));
      compute(same(footprint.values().operand(value.node, 0)));
      code.add(new InsnNode(value.opcode()));
    }
  }
}
