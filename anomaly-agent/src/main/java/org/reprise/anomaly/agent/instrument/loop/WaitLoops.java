package org.reprise.anomaly.agent.instrument.loop;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.loop.WaitLoop.Operands;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;
import org.reprise.anomaly.agent.instrument.program.LibraryCalls;
import org.reprise.anomaly.agent.instrument.program.Variable;
import org.reprise.anomaly.hooks.Waits;

/**
 * The loops of a method that do nothing but wait: for a volatile field or an atomic variable, or,
 * in a lock that they give back meanwhile, for any field. To ask once is not to wait.
 */
public final class WaitLoops {
  private static final Set<String> PAUSES = Set.of("onSpinWait", "yield", "sleep");
  private static final Set<String> READS = Set.of("get", "getAcquire");

  private final MethodNode method;
  private final CheckedFields fields;
  private final Map<AbstractInsnNode, WaitLoop> loops = new HashMap<>();

  /** What a loop executes, if it waits in a lock. */
  private final Set<AbstractInsnNode> looped = new HashSet<>();

  public WaitLoops(MethodNode method, CheckedFields fields) {
    this.method = method;
    this.fields = fields;
    if (mayWait()) {
      FlowGraph graph = new FlowGraph(method);
      for (Loop loop : Loop.of(graph)) {
        Arrays.stream(loop.nodes()).mapToObj(graph::instruction).forEach(looped::add);
        WaitLoop found = find(loop, graph);
        if (found != null) {
          loops.put(found.read(), found);
        }
      }
    }
  }

  /** The loop that waits for what the instruction reads; null if none does. */
  public @Nullable WaitLoop of(AbstractInsnNode read) {
    return loops.get(read);
  }

  /** Whether a wait in a lock is in a loop, so that what it waits for may be looked at again. */
  public boolean mayLookAgain(MethodInsnNode wait) {
    return looped.contains(wait);
  }

  /** The class's own fields, by name, for which loops of its methods wait in a lock. */
  public static Set<String> fieldsAwaitedInLocks(ClassNode owner, CheckedFields fields) {
    Set<String> names = new HashSet<>();
    for (MethodNode method : owner.methods) {
      for (WaitLoop loop : new WaitLoops(method, fields).loops.values()) {
        if (!loop.signal().isEmpty()
            && loop.read() instanceof FieldInsnNode field
            && field.owner.equals(owner.name)) {
          names.add(field.name);
        }
      }
    }
    return names;
  }

  /** Most methods have nothing that could be waited for. */
  private boolean mayWait() {
    boolean hasLoop = false;
    Set<AbstractInsnNode> passed = new HashSet<>();
    for (AbstractInsnNode instruction : method.instructions) {
      passed.add(instruction);
      hasLoop |= instruction instanceof JumpInsnNode jump && passed.contains(jump.label);
    }
    return hasLoop && passed.stream().anyMatch(any -> waitsInLock(any) || isSynchronisedRead(any));
  }

  private @Nullable WaitLoop find(Loop loop, FlowGraph graph) {
    AbstractInsnNode read = null;
    AbstractInsnNode wait = null;
    AbstractInsnNode branch = null;
    boolean readsOthers = false;
    for (int node : loop.nodes()) {
      AbstractInsnNode instruction = graph.instruction(node);
      if (graph.next(node).length > 1) {
        if (branch != null) {
          return null;
        }
        branch = instruction;
      }
      if (isWait(instruction)) {
        if (wait != null) {
          return null;
        }
        wait = instruction;
      } else if (isSynchronisedRead(instruction)) {
        if (read != null) {
          return null;
        }
        read = instruction;
      } else if (isOtherRead(instruction)) {
        readsOthers = true;
      } else if (!isIdle(instruction) && !isUnused(instruction, loop, graph)) {
        return null;
      }
    }
    if (wait != null && readsOthers) {
      read = read == null ? onlyRead(loop, graph) : null;
    }
    List<AbstractInsnNode> signal = wait == null ? List.of() : signal(wait);
    if (read == null || branch == null || signal == null) {
      return null;
    }
    if (!(branch instanceof JumpInsnNode jump)) {
      return null;
    }
    boolean jumpsOut = !loop.contains(method.instructions.indexOf(jump.label));
    boolean goesOut = !loop.contains(method.instructions.indexOf(jump.getNext()));
    return jumpsOut == goesOut ? null : compared(read, branch, jumpsOut, signal);
  }

  /** The one field that the loop reads; null if there are several. */
  private @Nullable AbstractInsnNode onlyRead(Loop loop, FlowGraph graph) {
    AbstractInsnNode only = null;
    for (int node : loop.nodes()) {
      if (isOtherRead(graph.instruction(node))) {
        if (only != null) {
          return null;
        }
        only = graph.instruction(node);
      }
    }
    return only;
  }

  /** The loop, if what is read comes to the branch as it is. */
  private static @Nullable WaitLoop compared(
      AbstractInsnNode read,
      AbstractInsnNode branch,
      boolean jumpsOut,
      List<AbstractInsnNode> signal) {
    AbstractInsnNode at = next(read);
    if (at != null && at.getOpcode() == Opcodes.I2L) {
      at = next(at);
    }
    boolean isFirst = false;
    while (at != null && isLoad(at.getOpcode())) {
      isFirst = true;
      at = next(at);
    }
    if (at == null) {
      return null;
    }
    AbstractInsnNode comparison = at;
    boolean isLong = at.getOpcode() == Opcodes.LCMP;
    if (isLong) {
      at = next(at);
    }
    if (at != branch) {
      return null;
    }
    int opcode = branch.getOpcode();
    boolean isOne = opcode >= Opcodes.IFEQ && opcode <= Opcodes.IFLE;
    Operands operands;
    int jumpsIf;
    if (isLong && isOne) {
      operands = Operands.TWO_LONGS;
      jumpsIf = opcode - Opcodes.IFEQ;
    } else if (opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ICMPLE) {
      operands = Operands.TWO_INTS;
      jumpsIf = opcode - Opcodes.IF_ICMPEQ;
    } else if (!isFirst && isOne) {
      operands = Operands.INT;
      jumpsIf = opcode - Opcodes.IFEQ;
    } else if (!isFirst && (opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL)) {
      operands = Operands.REFERENCE;
      jumpsIf = opcode - Opcodes.IFNULL;
    } else {
      return null;
    }
    boolean isTwo = operands == Operands.TWO_INTS || operands == Operands.TWO_LONGS;
    boolean isValueLast = isTwo && !isFirst;
    int leavesIf = jumpsOut ? jumpsIf : jumpsIf ^ 1;
    int test = isValueLast ? turned(leavesIf) : leavesIf;
    return new WaitLoop(
        read,
        comparison,
        operands,
        isValueLast,
        signal.isEmpty() ? test : test | Waits.IN_LOCK,
        signal);
  }

  /** The same with its sides exchanged: {@code a < b} is {@code b > a}. */
  private static int turned(int test) {
    return test < 2 ? test : test ^ 6;
  }

  /** What is executed next, where no other way leads to. */
  private static @Nullable AbstractInsnNode next(AbstractInsnNode instruction) {
    AbstractInsnNode next = instruction.getNext();
    while (next != null && next.getOpcode() < 0) {
      if (next instanceof FrameNode) {
        return null;
      }
      next = next.getNext();
    }
    return next;
  }

  private static @Nullable AbstractInsnNode previous(AbstractInsnNode instruction) {
    AbstractInsnNode previous = instruction.getPrevious();
    while (previous != null && previous.getOpcode() < 0) {
      previous = previous.getPrevious();
    }
    return previous;
  }

  /** Pushes a value, and nothing else. */
  private static boolean isLoad(int opcode) {
    return (opcode >= Opcodes.ACONST_NULL && opcode <= Opcodes.ALOAD)
        || opcode == Opcodes.GETFIELD
        || opcode == Opcodes.GETSTATIC;
  }

  private static boolean waitsInLock(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call && LibraryCalls.waitsInLock(call);
  }

  private static boolean isWait(AbstractInsnNode instruction) {
    return waitsInLock(instruction) && ((MethodInsnNode) instruction).desc.equals("()V");
  }

  /**
   * What loads the object in which a call waits, where that is always the same and can be asked for
   * by any instruction of the loop; else null.
   */
  private @Nullable List<AbstractInsnNode> signal(AbstractInsnNode wait) {
    AbstractInsnNode last = previous(wait);
    if (last instanceof VarInsnNode) {
      return List.of(last);
    }
    if (!(last instanceof FieldInsnNode field) || !fields.isOwnConstant(field)) {
      return null;
    }
    if (field.getOpcode() == Opcodes.GETSTATIC) {
      return List.of(last);
    }
    AbstractInsnNode object = previous(last);
    boolean isThis =
        object instanceof VarInsnNode load
            && load.var == 0
            && (method.access & Opcodes.ACC_STATIC) == 0;
    return isThis && object != null ? List.of(object, last) : null;
  }

  /** Whether the instruction reads a volatile field or an atomic variable. */
  private boolean isSynchronisedRead(AbstractInsnNode instruction) {
    return instruction instanceof MethodInsnNode call
        ? isAtomicRead(call)
        : readField(instruction).filter(Variable::isVolatile).isPresent();
  }

  /** Whether the instruction reads any other field that may change. */
  private boolean isOtherRead(AbstractInsnNode instruction) {
    return readField(instruction).filter(field -> !field.isVolatile()).isPresent();
  }

  private Optional<Variable> readField(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    return Stream.of(instruction)
        .filter(any -> opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC)
        .flatMap(read -> fields.variable((FieldInsnNode) read).stream())
        .findFirst();
  }

  private static boolean isAtomicRead(MethodInsnNode call) {
    return call.owner.startsWith("java/util/concurrent/atomic/Atomic")
        && !call.owner.endsWith("Array")
        && READS.contains(call.name)
        && call.desc.startsWith("()");
  }

  /** Whether the instruction changes nothing but the operand stack. */
  private static boolean isIdle(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    if (instruction instanceof MethodInsnNode call) {
      return call.owner.equals("java/lang/Thread") && PAUSES.contains(call.name);
    }
    return opcode < 0
        || opcode <= Opcodes.ALOAD
        || (opcode >= Opcodes.POP && opcode <= Opcodes.LXOR)
        || (opcode >= Opcodes.I2L && opcode <= Opcodes.GOTO)
        || opcode == Opcodes.GETFIELD
        || opcode == Opcodes.GETSTATIC
        || opcode == Opcodes.IFNULL
        || opcode == Opcodes.IFNONNULL;
  }

  /** Whether the instruction keeps an exception that the loop does not look at. */
  private static boolean isUnused(AbstractInsnNode instruction, Loop loop, FlowGraph graph) {
    if (!(instruction instanceof VarInsnNode store) || store.getOpcode() != Opcodes.ASTORE) {
      return false;
    }
    return Arrays.stream(loop.nodes())
        .mapToObj(graph::instruction)
        .noneMatch(
            other ->
                other instanceof VarInsnNode load
                    && load.getOpcode() == Opcodes.ALOAD
                    && load.var == store.var);
  }
}
