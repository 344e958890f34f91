package org.reprise.anomaly.agent.instrument.loop;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Calls that end a stream and whose result depends on how it is split, if it is a parallel one.
 * Only what is plain to see in the code: functions of one operation, constants as identities.
 */
public final class Reductions {
  private static final String STREAMS = "java/util/stream/";
  private static final Set<String> SUMS = Set.of("sum", "average", "summaryStatistics");

  private Reductions() {}

  /** Why the result depends on how the stream is split. */
  public enum Fault {
    /** Sums of floating-point numbers. */
    ROUNDING,
    NOT_ASSOCIATIVE,
    NOT_AN_IDENTITY,
    /** Whichever element is found first. */
    ANY
  }

  /** An operation on two numbers, as far as it matters how a stream is split. */
  private enum Operation {
    SUM,
    PRODUCT,
    ROUNDING,
    NOT_ASSOCIATIVE
  }

  public static Optional<Fault> of(MethodInsnNode call, ClassNode owner) {
    if (!call.owner.startsWith(STREAMS)) {
      return Optional.empty();
    }
    if (call.owner.equals(STREAMS + "DoubleStream") && SUMS.contains(call.name)) {
      return Optional.of(Fault.ROUNDING);
    }
    return switch (call.name) {
      case "findAny" -> Optional.of(Fault.ANY);
      case "reduce" -> reduce(call, owner);
      case "collect" -> collect(call, owner);
      default -> Optional.empty();
    };
  }

  private static Optional<Fault> reduce(MethodInsnNode call, ClassNode owner) {
    if (!(previous(call) instanceof InvokeDynamicInsnNode lambda)
        || Type.getArgumentTypes(lambda.desc).length != 0) {
      return Optional.empty();
    }
    Operation operation = operation(lambda, owner);
    if (operation == null) {
      return Optional.empty();
    }
    int arguments = Type.getArgumentTypes(call.desc).length;
    AbstractInsnNode before = previous(lambda);
    if (arguments == 3 && before instanceof InvokeDynamicInsnNode) {
      // What makes numbers of the elements stands between.
      before = previous(before);
    }
    Number identity = arguments > 1 ? constant(before) : null;
    return switch (operation) {
      case ROUNDING -> Optional.of(Fault.ROUNDING);
      case NOT_ASSOCIATIVE -> Optional.of(Fault.NOT_ASSOCIATIVE);
      case SUM -> unless(identity, 0);
      case PRODUCT -> unless(identity, 1);
    };
  }

  private static Optional<Fault> unless(@Nullable Number identity, long right) {
    return identity == null || identity.longValue() == right
        ? Optional.empty()
        : Optional.of(Fault.NOT_AN_IDENTITY);
  }

  private static @Nullable Operation operation(InvokeDynamicInsnNode lambda, ClassNode owner) {
    if (lambda.bsmArgs.length < 2 || !(lambda.bsmArgs[1] instanceof Handle target)) {
      return null;
    }
    switch (target.getOwner() + "." + target.getName()) {
      case "java/lang/Integer.sum", "java/lang/Long.sum" -> {
        return Operation.SUM;
      }
      case "java/lang/Double.sum", "java/lang/Float.sum" -> {
        return Operation.ROUNDING;
      }
      default -> {
        return owner.methods.stream()
            .filter(
                method ->
                    target.getOwner().equals(owner.name)
                        && method.name.equals(target.getName())
                        && method.desc.equals(target.getDesc()))
            .findFirst()
            .map(Reductions::operation)
            .orElse(null);
      }
    }
  }

  /** The one operation that the method applies to its two parameters; null if it does more. */
  private static @Nullable Operation operation(MethodNode method) {
    Operation found = null;
    int first = -1;
    int loads = 0;
    for (AbstractInsnNode instruction : method.instructions) {
      int opcode = instruction.getOpcode();
      if (instruction instanceof VarInsnNode load && opcode <= Opcodes.ALOAD) {
        if (load.var == first) {
          return null;
        }
        first = loads++ == 0 ? load.var : first;
      } else if (opcode >= Opcodes.IADD && opcode <= Opcodes.LXOR && found == null) {
        found = operation(opcode);
        if (found == null) {
          return null;
        }
      } else if (opcode >= 0 && !isHarmless(instruction)) {
        return null;
      }
    }
    return loads == 2 ? found : null;
  }

  private static @Nullable Operation operation(int opcode) {
    return switch (opcode) {
      case Opcodes.IADD, Opcodes.LADD -> Operation.SUM;
      case Opcodes.IMUL, Opcodes.LMUL -> Operation.PRODUCT;
      case Opcodes.FADD, Opcodes.DADD, Opcodes.FMUL, Opcodes.DMUL -> Operation.ROUNDING;
      case Opcodes.ISUB,
          Opcodes.LSUB,
          Opcodes.FSUB,
          Opcodes.DSUB,
          Opcodes.IDIV,
          Opcodes.LDIV,
          Opcodes.FDIV,
          Opcodes.DDIV,
          Opcodes.IREM,
          Opcodes.LREM,
          Opcodes.ISHL,
          Opcodes.ISHR,
          Opcodes.IUSHR ->
          Operation.NOT_ASSOCIATIVE;
      default -> null;
    };
  }

  /** Boxes, unboxes, casts or returns. */
  private static boolean isHarmless(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    return opcode == Opcodes.CHECKCAST
        || (opcode >= Opcodes.IRETURN && opcode <= Opcodes.ARETURN)
        || (instruction instanceof MethodInsnNode call
            && call.owner.startsWith("java/lang/")
            && (call.name.equals("valueOf") || call.name.endsWith("Value")));
  }

  private static @Nullable Number constant(@Nullable AbstractInsnNode instruction) {
    if (instruction instanceof MethodInsnNode call && call.name.equals("valueOf")) {
      return constant(previous(call));
    }
    if (instruction instanceof IntInsnNode push && push.getOpcode() != Opcodes.NEWARRAY) {
      return push.operand;
    }
    if (instruction instanceof LdcInsnNode load
        && (load.cst instanceof Integer || load.cst instanceof Long)) {
      return (Number) load.cst;
    }
    if (instruction instanceof InsnNode) {
      int opcode = instruction.getOpcode();
      if (opcode == Opcodes.LCONST_0 || opcode == Opcodes.LCONST_1) {
        return opcode - Opcodes.LCONST_0;
      }
      if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
        return opcode - Opcodes.ICONST_0;
      }
    }
    return null;
  }

  /** Looks at collectors that are made here, one inside the other. */
  private static Optional<Fault> collect(MethodInsnNode call, ClassNode owner) {
    AbstractInsnNode at = previous(call);
    while (at instanceof InvokeDynamicInsnNode
        || (at instanceof MethodInsnNode made && made.owner.equals(STREAMS + "Collectors"))) {
      Optional<Fault> fault =
          at instanceof MethodInsnNode made ? collector(made, owner) : Optional.empty();
      if (fault.isPresent()) {
        return fault;
      }
      at = previous(at);
    }
    return Optional.empty();
  }

  private static Optional<Fault> collector(MethodInsnNode made, ClassNode owner) {
    if (made.name.equals("reducing")) {
      return reduce(made, owner);
    }
    boolean rounds =
        made.name.endsWith("Double")
            && (made.name.startsWith("summing")
                || made.name.startsWith("averaging")
                || made.name.startsWith("summarizing"));
    return rounds ? Optional.of(Fault.ROUNDING) : Optional.empty();
  }

  private static @Nullable AbstractInsnNode previous(AbstractInsnNode instruction) {
    AbstractInsnNode at = instruction.getPrevious();
    while (at != null && at.getOpcode() < 0) {
      at = at.getPrevious();
    }
    return at;
  }
}
