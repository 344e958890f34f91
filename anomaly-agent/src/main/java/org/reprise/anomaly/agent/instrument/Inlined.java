package org.reprise.anomaly.agent.instrument;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.parts.ArrayParts;
import org.reprise.anomaly.agent.instrument.program.OperandNames;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.instrument.program.Sites;

/**
 * The body of a loop with the methods of its class that it calls in place of the calls, so that
 * what they access is seen at once. It is looked at and never run: it has no frames.
 */
final class Inlined {
  /** Longer ones are not looked at. */
  private static final int INSTRUCTIONS_MAX = 2_000;

  private record Origin(MethodNode method, AbstractInsnNode instruction) {}

  private final ClassNode owner;
  private final MethodNode body;
  private final MethodNode all;
  private final Map<AbstractInsnNode, Origin> origins = new IdentityHashMap<>();
  private final Map<String, MethodNode> called = new LinkedHashMap<>();
  private final Deque<MethodNode> open = new ArrayDeque<>();

  private Inlined(ClassNode owner, MethodNode body) {
    this.owner = owner;
    this.body = body;
    this.all =
        new MethodNode(Opcodes.ASM9, body.access, body.name, body.desc, body.signature, null);
  }

  /** Empty if the method calls none whose code could take the place of the call. */
  static Optional<Inlined> of(ClassNode owner, MethodNode body) {
    Inlined inlined = new Inlined(owner, body);
    boolean isWhole = body.tryCatchBlocks.isEmpty() && inlined.add(body, 0, null);
    return isWhole && !inlined.called.isEmpty() ? Optional.of(inlined) : Optional.empty();
  }

  /**
   * What the class must have so that the body can report many iterations at once: the method that
   * does so, and what it calls. Nothing if it cannot.
   *
   * @param planOf how the accesses of a method are checked
   */
  List<MethodNode> leaf(Function<MethodNode, MethodPlan> planOf, Sites sites) {
    MethodPlan plan = planOf.apply(all);
    Footprint footprint = plan.footprint();
    if (footprint == null || !SummarisedLoopCode.isPossible(owner, all, footprint, plan)) {
      return List.of();
    }
    Map<AccessInstruction, Integer> numbers = new HashMap<>();
    FootprintReports reports =
        new FootprintReports(
            footprint,
            access ->
                plan.isReported(access)
                    ? numbers.computeIfAbsent(access, any -> sites.add(site(any.instruction())))
                    : 0);
    Predicate<AccessInstruction> isLeftOut =
        access -> !plan.isReported(access) || reports.isCovered(access);
    if (losesReads(footprint, isLeftOut, planOf)) {
      return List.of();
    }
    List<MethodNode> made = new ArrayList<>();
    made.add(
        SummarisedLoopCode.of(
            owner, body, footprint, reports, sites, ArrayParts.declared(body.name)));
    made.add(copy(body));
    called.values().forEach(method -> made.add(copy(method)));
    return made;
  }

  /**
   * Whether a read is left out, because the same block writes the element, that is reported where
   * the methods are checked one by one: what is found must not depend on which of them happens.
   */
  private boolean losesReads(
      Footprint footprint,
      Predicate<AccessInstruction> isLeftOut,
      Function<MethodNode, MethodPlan> planOf) {
    Map<MethodNode, MethodPlan> plans = new HashMap<>();
    Set<Value> written = new HashSet<>();
    for (Footprint.Piece piece : footprint.pieces()) {
      if (piece.access().isWrite()) {
        written.add(piece.array());
      }
    }
    return footprint.pieces().stream()
        .filter(piece -> !piece.access().isWrite() && written.contains(piece.array()))
        .map(Footprint.Piece::access)
        .filter(isLeftOut)
        .map(access -> origin(access.instruction()))
        .anyMatch(
            origin -> !plans.computeIfAbsent(origin.method, planOf).isDropped(origin.instruction));
  }

  /** The place in the source that an instruction comes from, where it accesses an array. */
  private Site site(AbstractInsnNode access) {
    Origin origin = origin(access);
    return Site.ofElement(owner, origin.method, origin.instruction);
  }

  private Origin origin(AbstractInsnNode instruction) {
    Origin origin = origins.get(instruction);
    if (origin == null) {
      throw new IllegalArgumentException("an instruction of another method");
    }
    return origin;
  }

  /** A method as it was written, which calls the others as they were. */
  private MethodNode copy(MethodNode method) {
    MethodNode copy = ArrayParts.copy(method, ArrayParts.declared(method.name));
    for (AbstractInsnNode instruction : copy.instructions) {
      if (instruction instanceof MethodInsnNode call
          && call.owner.equals(owner.name)
          && called.containsKey(ArrayParts.key(call))) {
        call.name = ArrayParts.declared(call.name);
      }
    }
    return copy;
  }

  /**
   * Adds a method's code.
   *
   * @param base where its local variables begin
   * @param end where it goes on behind it; null if it returns
   */
  private boolean add(MethodNode method, int base, @Nullable LabelNode end) {
    if (open.contains(method)
        || all.instructions.size() + method.instructions.size() > INSTRUCTIONS_MAX) {
      return false;
    }
    open.push(method);
    all.maxLocals = Math.max(all.maxLocals, base + method.maxLocals);
    all.maxStack += method.maxStack;
    Map<LabelNode, LabelNode> labels = new HashMap<>();
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof LabelNode label) {
        labels.put(label, new LabelNode());
      }
    }
    for (AbstractInsnNode instruction : method.instructions) {
      if (!(instruction instanceof LineNumberNode)
          && !(instruction instanceof FrameNode)
          && !add(method, instruction, base, end, labels)) {
        return false;
      }
    }
    open.pop();
    return true;
  }

  private boolean add(
      MethodNode method,
      AbstractInsnNode instruction,
      int base,
      @Nullable LabelNode end,
      Map<LabelNode, LabelNode> labels) {
    int opcode = instruction.getOpcode();
    if (end != null && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
      // Where a method has one way, it ends here anyway.
      if (!isLast(instruction)) {
        all.instructions.add(new JumpInsnNode(Opcodes.GOTO, end));
      }
      return true;
    }
    MethodNode inner = instruction instanceof MethodInsnNode call ? inner(method, call) : null;
    if (inner != null) {
      return addCall(inner);
    }
    AbstractInsnNode copy = instruction.clone(labels);
    if (copy instanceof VarInsnNode variable) {
      variable.var = local(method, variable.var, base);
    } else if (copy instanceof IincInsnNode increment) {
      increment.var = local(method, increment.var, base);
    }
    all.instructions.add(copy);
    origins.put(copy, new Origin(method, instruction));
    return true;
  }

  /** All methods that are not static are this object's. */
  private static int local(MethodNode method, int variable, int base) {
    return variable == 0 && (method.access & Opcodes.ACC_STATIC) == 0 ? 0 : base + variable;
  }

  private static boolean isLast(AbstractInsnNode instruction) {
    for (AbstractInsnNode next = instruction.getNext(); next != null; next = next.getNext()) {
      if (next.getOpcode() >= 0) {
        return false;
      }
    }
    return true;
  }

  /** The arguments become the called method's local variables. */
  private boolean addCall(MethodNode inner) {
    called.put(ArrayParts.key(inner), inner);
    int base = all.maxLocals;
    boolean isStatic = (inner.access & Opcodes.ACC_STATIC) != 0;
    Type[] arguments = Type.getArgumentTypes(inner.desc);
    int local = base + FootprintCode.locals(inner);
    for (int i = arguments.length - 1; i >= 0; i--) {
      local -= arguments[i].getSize();
      all.instructions.add(new VarInsnNode(arguments[i].getOpcode(Opcodes.ISTORE), local));
    }
    if (!isStatic) {
      all.instructions.add(new InsnNode(Opcodes.POP));
    }
    LabelNode end = new LabelNode();
    boolean isWhole = add(inner, base, end);
    all.instructions.add(end);
    return isWhole;
  }

  /** The method of the class that is called, for certain and with this object; else null. */
  private @Nullable MethodNode inner(MethodNode caller, MethodInsnNode call) {
    if (!call.owner.equals(owner.name)) {
      return null;
    }
    for (MethodNode method : owner.methods) {
      if (ArrayParts.key(method).equals(ArrayParts.key(call))) {
        boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
        boolean isKnown =
            isStatic
                ? call.getOpcode() == Opcodes.INVOKESTATIC
                : (method.access & Opcodes.ACC_PRIVATE) != 0 && isOfThis(caller, call);
        return isKnown && isPlain(method) ? method : null;
      }
    }
    return null;
  }

  private static boolean isPlain(MethodNode method) {
    int not = Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT;
    return (method.access & not) == 0
        && !method.name.startsWith("<")
        && method.tryCatchBlocks.isEmpty();
  }

  private boolean isOfThis(MethodNode caller, MethodInsnNode call) {
    int depth = Type.getArgumentTypes(call.desc).length;
    for (AbstractInsnNode instruction : caller.instructions) {
      if (instruction.getOpcode() == Opcodes.ASTORE && ((VarInsnNode) instruction).var == 0) {
        return false;
      }
    }
    return (caller.access & Opcodes.ACC_STATIC) == 0
        && OperandNames.of(owner.name, caller).operand(call, depth).equals("this");
  }
}
