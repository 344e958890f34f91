package org.reprise.anomaly.agent.instrument.loop;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_CONTEXT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.hook;
import static org.reprise.anomaly.agent.instrument.code.HookNames.ranges;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.code.PassedPlaces;
import org.reprise.anomaly.agent.instrument.code.Temporaries;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.loop.LoopAccess.Moving;

/**
 * A loop without others inside whose accesses leave no trace in it. Its variable moves by the same
 * step in every iteration, and every access happens in every iteration, in one branch or another,
 * so what they touched follows from the values with which the variable entered and left the loop;
 * arrays and the rest of the indices are computed once more behind it. The compiler gets the loop
 * as it was: values that each access keeps for the exits take its registers, and cost a loop of six
 * accesses half its speed.
 *
 * <p>A variable may also move in some iterations only, as those do that merge two sorted pieces. As
 * long as it never moves without the access, everything up to its last value was touched, and that
 * value is all the access keeps.
 *
 * <p>Where an exception leaves the loop, the bits of a number say which accesses the last iteration
 * came to.
 */
final class Derivation {
  private final NestPlan plan;
  private final FlowGraph graph;
  private final Values values;
  private final Temporaries temporaries;
  private final int context;
  private final boolean hasThis;
  private final Loop loop;

  private final List<Touch> touches = new ArrayList<>();

  /** A variable that tells how far the loop came, for accesses that do not move. */
  private @Nullable Moving clock;

  /** References that are needed behind the loop: the slot before it, and the copy. */
  private final Map<Integer, Integer> references = new LinkedHashMap<>();

  private final Map<Value, Integer> copies = new HashMap<>();

  /** From accesses in branches to the one that speaks for all of the same element. */
  private final Map<AccessInstruction, LoopAccess> branches = new LinkedHashMap<>();

  /** Which accesses the iteration came to that an exception ended. */
  private final int reached;

  /**
   * Accesses of the same element, at least one of which an iteration may come to.
   *
   * @param access one that speaks for all of them
   * @param isMarked whether each keeps the value that the variable has
   */
  private record Touch(LoopAccess access, PassedPlaces passing, boolean isMarked) {}

  private Derivation(
      NestPlan plan, FlowGraph graph, Temporaries temporaries, int context, boolean hasThis) {
    this.plan = plan;
    this.graph = graph;
    this.values = plan.values();
    this.temporaries = temporaries;
    this.context = context;
    this.hasThis = hasThis;
    this.loop = plan.outer;
    this.reached = temporaries.newInt();
  }

  /**
   * How the accesses of a nest follow from its variable, if they do.
   *
   * @param context the local variable that holds the context
   * @param hasThis whether the method has a receiver
   */
  static Optional<Derivation> of(
      NestPlan plan, FlowGraph graph, Temporaries temporaries, int context, boolean hasThis) {
    if (plan.loops.size() != 1) {
      return Optional.empty();
    }
    Derivation derivation = new Derivation(plan, graph, temporaries, context, hasThis);
    return derivation.isPossible() ? Optional.of(derivation) : Optional.empty();
  }

  private boolean isPossible() {
    for (LoopAccess access : plan.atExits) {
      if (access.moving != null
          && clock == null
          && access.moving.motion().isSteady(graph, values)) {
        clock = access.moving;
      }
    }
    for (LoopAccess access : plan.atExits) {
      if (!add(access, List.of(access.access.node()))) {
        return false;
      }
    }
    gather();
    return !touches.isEmpty() && touches.size() <= Integer.SIZE;
  }

  /** Accesses of the same element in several branches that are one access together. */
  private void gather() {
    Map<Integer, List<AccessInstruction>> gathered = new LinkedHashMap<>();
    plan.points.forEach(
        (access, place) -> gathered.computeIfAbsent(place, any -> new ArrayList<>()).add(access));
    for (List<AccessInstruction> together : gathered.values()) {
      List<Integer> nodes = together.stream().map(AccessInstruction::node).toList();
      LoopAccess access = plan.moving(together.get(0), loop);
      if (access != null && touches.size() < Integer.SIZE && add(access, nodes)) {
        together.forEach(plan.points::remove);
        together.forEach(member -> branches.put(member, access));
      }
    }
  }

  private boolean add(LoopAccess access, List<Integer> nodes) {
    PassedPlaces passing = new PassedPlaces(graph, loop, nodes);
    Moving moving = access.moving == null ? clock : access.moving;
    Value target = access.access.target();
    if (moving == null
        || target == null
        || access.isColumn
        || access.loop != loop
        || !keepsIndex(access)
        || !canCompute(target)) {
      return false;
    }
    boolean isDerived =
        moving.motion().isSteady(graph, values)
            && passing.isInEveryIteration()
            && passing.isDecidedAtExits();
    boolean isMarked =
        !isDerived
            && access.moving != null
            && passing.isBeforeMoves(moving.motion().variable(), values);
    if (isDerived || isMarked) {
      touches.add(new Touch(access, passing, isMarked));
    }
    return isDerived || isMarked;
  }

  private boolean keepsIndex(LoopAccess access) {
    return access.moving == null
        ? keepsIndex(access.access.index())
        : keeps(access.moving.rest()) && keeps(access.moving.coefficient());
  }

  private boolean keepsIndex(@Nullable Value index) {
    return index == null || keeps(plan.region.polynomial(index));
  }

  private boolean keeps(Polynomial polynomial) {
    return polynomial.terms().keySet().stream()
        .flatMap(List::stream)
        .allMatch(value -> plan.keepBefore(value, loop));
  }

  /** Whether a reference can be had behind the loop; what that takes is kept before it. */
  private boolean canCompute(Value reference) {
    if (copies.containsKey(reference)) {
      return true;
    }
    int slot = plan.slot(reference, loop);
    if (slot >= 0) {
      copies.put(
          reference,
          references.computeIfAbsent(slot, any -> temporaries.newReference(Temporaries.OBJECT)));
      return true;
    }
    if (!plan.region.isRepeatable(reference)) {
      return false;
    }
    return switch (reference.opcode()) {
      case Opcodes.AALOAD ->
          keepsIndex(values.operand(reference.node, 0))
              && canCompute(values.operand(reference.node, 1));
      case Opcodes.GETFIELD -> {
        Value object = values.operand(reference.node, 0);
        yield object.kind == Value.Kind.ENTRY
            && object.number == 0
            && hasThis
            && canCompute(object);
      }
      default -> false;
    };
  }

  /** Accesses in branches that are one range with others. */
  Set<AccessInstruction> branches() {
    return branches.keySet();
  }

  /** The copies of references that are made before the loop: from which slot, to which. */
  Map<Integer, Integer> copies() {
    return references;
  }

  /**
   * What stands at an access in place of a check: nothing, or it keeps the value of its variable.
   * Empty for accesses that are none of these.
   */
  Optional<InsnList> mark(AccessInstruction access) {
    LoopAccess speaker = branches.get(access);
    return touches.stream()
        .filter(touch -> touch.access == speaker || touch.access.access == access)
        .findFirst()
        .map(this::mark);
  }

  private InsnList mark(Touch touch) {
    InsnList code = new InsnList();
    if (touch.isMarked) {
      code.add(new VarInsnNode(Opcodes.ILOAD, moving(touch.access).current()));
      code.add(new VarInsnNode(Opcodes.ISTORE, touch.access.at));
    }
    return code;
  }

  /** Before the loop: none of the accesses that keep a value has happened. */
  InsnList forget() {
    InsnList code = new InsnList();
    for (Touch touch : touches) {
      if (touch.isMarked) {
        Moving moving = moving(touch.access);
        code.add(new VarInsnNode(Opcodes.ILOAD, moving.motion().variable().number));
        code.add(RangeCode.push(moving.motion().step()));
        code.add(new InsnNode(Opcodes.ISUB));
        code.add(new VarInsnNode(Opcodes.ISTORE, touch.access.at));
      }
    }
    return code;
  }

  /** What is reported where the loop is left normally from a node. */
  void reportAt(InsnList code, List<LoopAccess> together, int from) {
    Touch touch = touch(together.get(0));
    report(
        code,
        together,
        moving -> {
          if (!endOfMarked(code, touch)) {
            code.add(new VarInsnNode(Opcodes.ILOAD, moving.current()));
            if (touch.passing.isPast(from)) {
              plusStep(code, moving);
            }
          }
        });
  }

  /** As {@link #reportAt}, of what branches touched together. */
  void reportBranchesAt(InsnList code, int from) {
    new LinkedHashSet<>(branches.values()).forEach(access -> reportAt(code, List.of(access), from));
  }

  /** What is reported where an exception leaves the loop. */
  void reportAfterException(InsnList code) {
    for (Touch touch : touches) {
      report(
          code,
          List.of(touch.access),
          moving -> {
            if (!endOfMarked(code, touch)) {
              code.add(new VarInsnNode(Opcodes.ILOAD, moving.current()));
              code.add(new VarInsnNode(Opcodes.ILOAD, reached));
              code.add(RangeCode.push(touches.indexOf(touch)));
              code.add(ranges("isPast", "(II)I"));
              code.add(RangeCode.push(moving.motion().step()));
              code.add(new InsnNode(Opcodes.IMUL));
              code.add(new InsnNode(Opcodes.IADD));
            }
          });
    }
  }

  private static boolean endOfMarked(InsnList code, Touch touch) {
    if (touch.isMarked) {
      code.add(new VarInsnNode(Opcodes.ILOAD, touch.access.at));
      plusStep(code, moving(touch.access));
    }
    return touch.isMarked;
  }

  private static void plusStep(InsnList code, Moving moving) {
    code.add(RangeCode.push(moving.motion().step()));
    code.add(new InsnNode(Opcodes.IADD));
  }

  private Touch touch(LoopAccess access) {
    return touches.stream().filter(touch -> touch.access == access).findFirst().orElseThrow();
  }

  /** Which accesses an iteration has come to when this node throws. */
  int reachedAt(int node) {
    int bits = 0;
    for (int i = 0; i < touches.size(); i++) {
      bits |= touches.get(i).passing.isPast(node) ? 1 << i : 0;
    }
    return bits;
  }

  /** Says so before the code that reports. */
  InsnList reached(int bits) {
    InsnList code = new InsnList();
    code.add(RangeCode.push(bits));
    code.add(new VarInsnNode(Opcodes.ISTORE, reached));
    return code;
  }

  /** Puts the value on the stack that the variable has after the last iteration that counts. */
  private interface End {
    void add(Moving moving);
  }

  private void report(InsnList code, List<LoopAccess> together, End end) {
    LoopAccess low = together.get(0);
    Moving moving = clockOf(low);
    reference(code, low.access.target());
    code.add(new VarInsnNode(Opcodes.ILOAD, moving.start()));
    end.add(moving);
    code.add(ranges("ifMoved", "(" + L_OBJECT + "II)" + L_OBJECT));
    String verb = low.access.isWrite() ? "write" : "read";
    if (!low.access.isElement()) {
      code.add(RangeCode.push(low.variable));
      finish(code, low, verb + "Field", L_OBJECT + "I");
      return;
    }
    if (low.moving == null) {
      Polynomial index = plan.region.polynomial(index(low));
      polynomial(code, index);
      polynomial(code, index.minus(Polynomial.constant(-1)));
      code.add(new InsnNode(Opcodes.ICONST_1));
    } else if (together.size() == 1) {
      at(code, low.moving, () -> code.add(new VarInsnNode(Opcodes.ILOAD, moving.start())));
      at(code, low.moving, () -> beforeEnd(code, moving, end));
      stride(code, moving);
      code.add(new InsnNode(Opcodes.IADD));
      stride(code, moving);
    } else {
      LoopAccess high = together.get(together.size() - 1);
      boolean rises = moving.stride().constant() > 0;
      Runnable first = () -> code.add(new VarInsnNode(Opcodes.ILOAD, moving.start()));
      Runnable last = () -> beforeEnd(code, moving, end);
      at(code, moving, rises ? first : last);
      at(code, moving(high), rises ? last : first);
      code.add(new InsnNode(Opcodes.ICONST_1));
      code.add(new InsnNode(Opcodes.IADD));
      code.add(new InsnNode(Opcodes.ICONST_1));
    }
    finish(code, low, verb + "Range", L_OBJECT + "III");
  }

  private static void beforeEnd(InsnList code, Moving moving, End end) {
    end.add(moving);
    code.add(RangeCode.push(moving.motion().step()));
    code.add(new InsnNode(Opcodes.ISUB));
  }

  private void stride(InsnList code, Moving moving) {
    RangeCode.stride(code, moving, value -> plan.kept(value, loop));
  }

  private Moving clockOf(LoopAccess access) {
    Moving moving = access.moving == null ? clock : access.moving;
    if (moving == null) {
      throw new IllegalArgumentException("nothing moves");
    }
    return moving;
  }

  private static Moving moving(LoopAccess access) {
    if (access.moving == null) {
      throw new IllegalArgumentException("does not move");
    }
    return access.moving;
  }

  private static Value index(LoopAccess access) {
    Value index = access.access.index();
    if (index == null) {
      throw new IllegalArgumentException("not an element");
    }
    return index;
  }

  private void finish(InsnList code, LoopAccess access, String name, String operands) {
    code.add(RangeCode.push(plan.site(access.access)));
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook(name, "(" + operands + "I" + L_CONTEXT + ")V"));
  }

  /** The index when the variable has a value. */
  private void at(InsnList code, Moving moving, Runnable value) {
    value.run();
    polynomial(code, moving.coefficient());
    code.add(new InsnNode(Opcodes.IMUL));
    polynomial(code, moving.rest());
    code.add(new InsnNode(Opcodes.IADD));
  }

  private void polynomial(InsnList code, Polynomial polynomial) {
    RangeCode.polynomial(code, polynomial, value -> plan.kept(value, loop));
  }

  private void reference(InsnList code, @Nullable Value reference) {
    if (reference == null) {
      throw new IllegalArgumentException("nothing to refer to");
    }
    Integer copy = copies.get(reference);
    if (copy != null) {
      code.add(new VarInsnNode(Opcodes.ALOAD, copy));
    } else if (reference.instruction instanceof FieldInsnNode field) {
      reference(code, values.operand(reference.node, 0));
      code.add(new TypeInsnNode(Opcodes.CHECKCAST, field.owner));
      code.add(new FieldInsnNode(Opcodes.GETFIELD, field.owner, field.name, field.desc));
    } else {
      reference(code, values.operand(reference.node, 1));
      polynomial(code, plan.region.polynomial(values.operand(reference.node, 0)));
      code.add(ranges("row", "(" + L_OBJECT + "I)" + L_OBJECT));
    }
  }
}
