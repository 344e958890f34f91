package org.reprise.anomaly.agent.instrument.loop;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_CONTEXT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_RECTANGLE;
import static org.reprise.anomaly.agent.instrument.code.HookNames.hook;
import static org.reprise.anomaly.agent.instrument.code.HookNames.ranges;

import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.loop.LoopAccess.Moving;
import org.reprise.anomaly.agent.instrument.loop.LoopAccess.Through;

/** The code that reports what accesses of a loop touched, from what they kept. */
public final class RangeCode {
  private final NestPlan plan;
  private final int context;

  RangeCode(NestPlan plan, int context) {
    this.plan = plan;
    this.context = context;
  }

  /**
   * Reports accesses of one range, ordered by their offsets.
   *
   * @param rectangle where the rectangle is that takes the range; null: it is reported at once
   */
  void report(InsnList code, List<LoopAccess> together, @Nullable Integer rectangle) {
    LoopAccess access = together.get(0);
    if (!access.access.isElement()) {
      field(code, access);
    } else if (access.row != null && (rectangle != null || access.isColumn)) {
      rows(code, together, access.row, rectangle);
    } else {
      load(code, Opcodes.ALOAD, access.target);
      columns(code, together);
      finish(code, access, "Range", L_OBJECT + "III", rectangle);
    }
  }

  /** Reports what an access touched through an array of indices, and forgets it. */
  void reportThrough(InsnList code, LoopAccess access) {
    Moving moving = access.moving;
    Through through = access.through;
    if (moving == null || through == null) {
      throw new IllegalArgumentException("not through indices that move");
    }
    load(code, Opcodes.ALOAD, access.target);
    load(code, Opcodes.ALOAD, through.indices());
    first(code, access, moving);
    load(code, Opcodes.ILOAD, access.last);
    endAndStride(code, moving, access.loop);
    code.add(push(through.isConstant() ? 1 : 0));
    finish(code, access, "Through", L_OBJECT + L_OBJECT + "IIIZ", null);
    forget(code, access);
  }

  /** What one access kept is kept for another, which is reported later. */
  void move(InsnList code, LoopAccess from, LoopAccess to) {
    copy(code, Opcodes.ALOAD, from.target, Opcodes.ASTORE, to.target);
    copy(code, Opcodes.ILOAD, from.last, Opcodes.ISTORE, to.last);
    copy(code, Opcodes.ILOAD, from.at, Opcodes.ISTORE, to.at);
    forget(code, from);
  }

  private static void copy(InsnList code, int load, int from, int store, int to) {
    load(code, load, from);
    load(code, store, to);
  }

  /** Keeps the array of indices, and the place in it, which lie on the stack. */
  public static InsnList keep(Through through) {
    InsnList code = new InsnList();
    code.add(new InsnNode(Opcodes.DUP2));
    load(code, Opcodes.ISTORE, through.place());
    load(code, Opcodes.ASTORE, through.indices());
    return code;
  }

  private void rows(
      InsnList code, List<LoopAccess> together, LoopAccess row, @Nullable Integer rectangle) {
    LoopAccess access = together.get(0);
    load(code, Opcodes.ALOAD, access.target);
    load(code, Opcodes.ALOAD, row.target);
    code.add(ranges("given", "(" + L_OBJECT + L_OBJECT + ")" + L_OBJECT));
    Moving moving = row.moving;
    if (access.isColumn && moving != null) {
      first(code, row, moving);
      // Where the row was when this access happened last: it may have moved on since.
      load(code, Opcodes.ILOAD, row.last);
      load(code, Opcodes.ILOAD, row.at);
      load(code, Opcodes.ILOAD, access.at);
      code.add(new InsnNode(Opcodes.ISUB));
      times(code, moving.coefficient(), moving.motion().loop());
      code.add(new InsnNode(Opcodes.ISUB));
      endAndStride(code, moving, moving.motion().loop());
      one(code, access);
    } else {
      one(code, row);
      columns(code, together);
    }
    finish(code, access, "Rows", L_OBJECT + "IIIIII", rectangle);
  }

  /** First, end and stride of one element. */
  private static void one(InsnList code, LoopAccess access) {
    load(code, Opcodes.ILOAD, access.last);
    load(code, Opcodes.ILOAD, access.last);
    code.add(new InsnNode(Opcodes.ICONST_1));
    code.add(new InsnNode(Opcodes.IADD));
    code.add(new InsnNode(Opcodes.ICONST_1));
  }

  /** First, end and stride of what accesses with neighbouring offsets touched together. */
  private void columns(InsnList code, List<LoopAccess> together) {
    LoopAccess low = together.get(0);
    LoopAccess high = together.get(together.size() - 1);
    Moving moving = low.moving;
    Moving upper = high.moving;
    if (moving == null || upper == null || low.isColumn) {
      one(code, low);
    } else if (together.size() == 1) {
      first(code, low, moving);
      load(code, Opcodes.ILOAD, low.last);
      endAndStride(code, moving, low.loop);
    } else {
      boolean rises = moving.stride().constant() > 0;
      if (rises) {
        first(code, low, moving);
        load(code, Opcodes.ILOAD, high.last);
      } else {
        load(code, Opcodes.ILOAD, low.last);
        first(code, high, upper);
      }
      code.add(new InsnNode(Opcodes.ICONST_1));
      code.add(new InsnNode(Opcodes.IADD));
      code.add(new InsnNode(Opcodes.ICONST_1));
    }
  }

  /** The first index: the last, less what the variable has moved since the loop was entered. */
  private void first(InsnList code, LoopAccess access, Moving moving) {
    load(code, Opcodes.ILOAD, access.last);
    load(code, Opcodes.ILOAD, access.at);
    load(code, Opcodes.ILOAD, moving.start());
    code.add(new InsnNode(Opcodes.ISUB));
    times(code, moving.coefficient(), moving.motion().loop());
    code.add(new InsnNode(Opcodes.ISUB));
  }

  private void times(InsnList code, Polynomial factor, Loop loop) {
    if (!factor.isConstant() || factor.constant() != 1) {
      polynomial(code, factor, loop);
      code.add(new InsnNode(Opcodes.IMUL));
    }
  }

  /** Goes one stride on from the last index, which lies on the stack. */
  private void endAndStride(InsnList code, Moving moving, Loop loop) {
    ToIntFunction<Value> places = value -> plan.kept(value, loop);
    stride(code, moving, places);
    code.add(new InsnNode(Opcodes.IADD));
    stride(code, moving, places);
  }

  /** Where a factor turns out to be 0, the index stays: one element, as a range of stride 1. */
  static void stride(InsnList code, Moving moving, ToIntFunction<Value> places) {
    polynomial(code, moving.stride(), places);
    if (!moving.stride().isConstant()) {
      code.add(ranges("stride", "(I)I"));
    }
  }

  private void polynomial(InsnList code, Polynomial polynomial, Loop loop) {
    polynomial(code, polynomial, value -> plan.kept(value, loop));
  }

  /** Computes a polynomial of values, each in a local variable. */
  static void polynomial(InsnList code, Polynomial polynomial, ToIntFunction<Value> places) {
    code.add(push(polynomial.constant()));
    for (Map.Entry<List<Value>, Integer> term : polynomial.terms().entrySet()) {
      if (!term.getKey().isEmpty()) {
        code.add(push(term.getValue()));
        for (Value factor : term.getKey()) {
          load(code, Opcodes.ILOAD, places.applyAsInt(factor));
          code.add(new InsnNode(Opcodes.IMUL));
        }
        code.add(new InsnNode(Opcodes.IADD));
      }
    }
  }

  private void field(InsnList code, LoopAccess access) {
    boolean isStatic = access.access.target() == null;
    load(code, isStatic ? Opcodes.ILOAD : Opcodes.ALOAD, access.target);
    code.add(push(access.variable));
    code.add(push(access.site));
    load(code, Opcodes.ALOAD, context);
    String verb = access.access.isWrite() ? "write" : "read";
    code.add(
        isStatic
            ? hook(verb + "StaticIf", "(III" + L_CONTEXT + ")V")
            : hook(verb + "Field", "(" + L_OBJECT + "II" + L_CONTEXT + ")V"));
  }

  private void finish(
      InsnList code, LoopAccess access, String what, String operands, @Nullable Integer rectangle) {
    if (rectangle != null) {
      load(code, Opcodes.ALOAD, rectangle);
      code.add(hook("add", "(" + operands + L_RECTANGLE + ")V"));
    } else {
      code.add(push(access.site));
      load(code, Opcodes.ALOAD, context);
      code.add(
          hook(
              (access.access.isWrite() ? "write" : "read") + what,
              "(" + operands + "I" + L_CONTEXT + ")V"));
    }
  }

  /** The access has not happened since the loop was entered. */
  void forget(InsnList code, LoopAccess access) {
    boolean isStatic = access.access.target() == null;
    code.add(new InsnNode(isStatic ? Opcodes.ICONST_0 : Opcodes.ACONST_NULL));
    load(code, isStatic ? Opcodes.ISTORE : Opcodes.ASTORE, access.target);
  }

  /** Keeps what the access is about to touch: the array and the index lie on the stack. */
  public static InsnList keep(LoopAccess access) {
    InsnList code = new InsnList();
    if (access.access.target() == null) {
      code.add(new InsnNode(Opcodes.ICONST_1));
      load(code, Opcodes.ISTORE, access.target);
      return code;
    }
    if (access.through != null) {
      code.add(new InsnNode(Opcodes.POP));
      load(code, Opcodes.ILOAD, access.through.place());
    }
    if (access.access.isElement()) {
      load(code, Opcodes.ISTORE, access.last);
    }
    load(code, Opcodes.ASTORE, access.target);
    Moving moving = access.moving;
    if (moving != null) {
      load(code, Opcodes.ILOAD, moving.current());
      load(code, Opcodes.ISTORE, access.at);
    }
    return code;
  }

  private static void load(InsnList code, int opcode, int place) {
    code.add(new VarInsnNode(opcode, place));
  }

  public static AbstractInsnNode push(int number) {
    if (number >= -1 && number <= 5) {
      return new InsnNode(Opcodes.ICONST_0 + number);
    }
    return number == (byte) number
        ? new IntInsnNode(Opcodes.BIPUSH, number)
        : number == (short) number
            ? new IntInsnNode(Opcodes.SIPUSH, number)
            : new LdcInsnNode(number);
  }
}
