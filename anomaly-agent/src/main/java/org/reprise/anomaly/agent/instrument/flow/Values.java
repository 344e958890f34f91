package org.reprise.anomaly.agent.instrument.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * The values of a method in static single assignment form. Every place starts with a merge of its
 * own wherever ways meet; those whose inputs turn out to be one value are replaced by it, and all
 * is computed again, until none is left to replace.
 */
public final class Values {
  /** Values that are computed from more than so many others are taken as they are. */
  private static final int WEIGHT_MAX = 100;

  private record Key(Value.Kind kind, int number, int node, int left, int right) {}

  private record Place(int node, int slot) {}

  private final MethodNode method;
  private final FlowGraph graph;
  private final Map<Key, Value> known = new HashMap<>();
  private final Map<Place, Value> replaced = new HashMap<>();
  private final Map<Value, List<Value>> inputs = new HashMap<>();
  private final Semantics semantics = new Semantics();
  private final @Nullable Frame<Value>[] before;
  private final @Nullable Frame<Value>[] after;

  @SuppressWarnings("unchecked")
  public Values(MethodNode method, FlowGraph graph) throws AnalyzerException {
    this.method = method;
    this.graph = graph;
    this.before = (Frame<Value>[]) new Frame<?>[graph.size()];
    this.after = (Frame<Value>[]) new Frame<?>[graph.size()];
    do {
      evaluate();
    } while (replaceSome());
  }

  /** What the operand {@code depth} below the top of the stack is, before the node. */
  public Value operand(int node, int depth) {
    Frame<Value> frame = frame(node);
    return frame.getStack(frame.getStackSize() - 1 - depth);
  }

  /** What an instruction computes: it leaves it on the stack, or in the variable it increments. */
  public Value result(int node) {
    Frame<Value> frame = after[node];
    if (frame == null) {
      throw new IllegalArgumentException("never reached");
    }
    return graph.instruction(node) instanceof IincInsnNode increment
        ? frame.getLocal(increment.var)
        : frame.getStack(frame.getStackSize() - 1);
  }

  /** Everything that is held before a node; only for reachable ones. */
  @SuppressWarnings("NullAway")
  public Frame<Value> frame(int node) {
    return before[node];
  }

  /** The values that meet in a merge, in the order of {@link FlowGraph#previous}. */
  public List<Value> inputs(Value merge) {
    return inputs.getOrDefault(merge, List.of());
  }

  /** Merges that some instruction uses, directly or through other merges. */
  public Set<Value> usedMerges() {
    Set<Value> used = new HashSet<>();
    List<Value> open = new ArrayList<>();
    for (int node : graph.order()) {
      open.addAll(operands(node));
    }
    while (!open.isEmpty()) {
      Value value = open.remove(open.size() - 1);
      if (value.kind == Value.Kind.OPERATION) {
        addOperands(value, open);
      } else if (value.kind == Value.Kind.MERGE && used.add(value)) {
        open.addAll(inputs(value));
      }
    }
    return used;
  }

  private static void addOperands(Value operation, List<Value> to) {
    if (operation.left != null) {
      to.add(operation.left);
    }
    if (operation.right != null) {
      to.add(operation.right);
    }
  }

  /** What an instruction takes: from the stack, or from the variable that it increments. */
  public List<Value> operands(int node) {
    Frame<Value> frame = frame(node);
    List<Value> found = new ArrayList<>();
    AbstractInsnNode instruction = graph.instruction(node);
    if (instruction instanceof IincInsnNode increment) {
      found.add(frame.getLocal(increment.var));
      return found;
    }
    if (moves(instruction.getOpcode())) {
      return found;
    }
    int taken = Math.min(StackEffect.taken(instruction), frame.getStackSize());
    for (int depth = taken - 1; depth >= 0; depth--) {
      found.add(frame.getStack(frame.getStackSize() - 1 - depth));
    }
    return found;
  }

  /** Whether an instruction only moves values about, which is no use of them. */
  private static boolean moves(int opcode) {
    return opcode < 0
        || (opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD)
        || (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE)
        || (opcode >= Opcodes.POP && opcode <= Opcodes.SWAP);
  }

  private void evaluate() throws AnalyzerException {
    for (int node : graph.order()) {
      if (node == 0 && graph.previous(node).length > 0) {
        throw new AnalyzerException(graph.instruction(node), "a jump to the first instruction");
      }
      Frame<Value> frame = node == 0 ? entry() : meet(node);
      before[node] = frame;
      AbstractInsnNode instruction = graph.instruction(node);
      if (instruction.getOpcode() < 0) {
        after[node] = frame;
      } else {
        semantics.node = node;
        Frame<Value> result = new Frame<>(frame);
        result.execute(instruction, semantics);
        after[node] = result;
      }
    }
  }

  private Frame<Value> entry() {
    Frame<Value> frame = new Frame<>(method.maxLocals, method.maxStack);
    int local = 0;
    if ((method.access & Opcodes.ACC_STATIC) == 0) {
      frame.setLocal(local, value(Value.Kind.ENTRY, local, 0, null, null, 1));
      local++;
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      frame.setLocal(local, value(Value.Kind.ENTRY, local, 0, null, null, type.getSize()));
      local++;
      if (type.getSize() == 2) {
        frame.setLocal(local++, unset());
      }
    }
    while (local < method.maxLocals) {
      frame.setLocal(local++, unset());
    }
    return frame;
  }

  private Frame<Value> meet(int node) {
    Frame<Value> first = null;
    int count = 0;
    for (int from : graph.previous(node)) {
      count += graph.isNormal(from, node) ? 1 : 0;
      count += leadsByException(from, node) ? 1 : 0;
      if (first == null && before[from] != null) {
        first = arriving(from, node, graph.isNormal(from, node));
      }
    }
    if (first == null) {
      throw new IllegalStateException("a node before all that lead to it");
    }
    if (count <= 1) {
      return first;
    }
    Frame<Value> merged = new Frame<>(first);
    for (int slot = 0; slot < method.maxLocals; slot++) {
      merged.setLocal(slot, merge(node, slot, first.getLocal(slot)));
    }
    for (int depth = 0; depth < first.getStackSize(); depth++) {
      merged.setStack(depth, merge(node, method.maxLocals + depth, first.getStack(depth)));
    }
    return merged;
  }

  private boolean leadsByException(int from, int to) {
    for (int handler : graph.handlers(from)) {
      if (handler == to) {
        return true;
      }
    }
    return false;
  }

  private Frame<Value> arriving(int from, int to, boolean normally) {
    if (normally) {
      Frame<Value> frame = after[from];
      if (frame == null) {
        throw new IllegalStateException("a node that was not evaluated");
      }
      return frame;
    }
    Frame<Value> frame = new Frame<>(frame(from));
    frame.clearStack();
    // The same for all that lead here: nobody asks which exception it is.
    frame.push(value(Value.Kind.MERGE, -1, to, null, null, 1));
    return frame;
  }

  private Value merge(int node, int slot, Value sample) {
    if (sample.kind == Value.Kind.UNSET) {
      return sample;
    }
    Value other = replaced.get(new Place(node, slot));
    return other != null
        ? resolve(other)
        : value(Value.Kind.MERGE, slot, node, null, null, sample.getSize());
  }

  private Value resolve(Value value) {
    if (value.kind == Value.Kind.MERGE) {
      Value other = replaced.get(new Place(value.node, value.number));
      return other == null ? value : resolve(other);
    }
    if (value.kind == Value.Kind.OPERATION && value.left != null && value.right != null) {
      return operation(value.number, resolve(value.left), resolve(value.right));
    }
    return value;
  }

  private boolean replaceSome() {
    inputs.clear();
    boolean any = false;
    for (int node : graph.order()) {
      Frame<Value> frame = frame(node);
      for (int slot = 0; slot < frame.getLocals() + frame.getStackSize(); slot++) {
        Value merge = at(frame, slot);
        if (merge.kind == Value.Kind.MERGE && merge.node == node && merge.number == slot) {
          any |= replace(merge, node, slot);
        }
      }
    }
    return any;
  }

  private static Value at(Frame<Value> frame, int slot) {
    return slot < frame.getLocals()
        ? frame.getLocal(slot)
        : frame.getStack(slot - frame.getLocals());
  }

  private boolean replace(Value merge, int node, int slot) {
    List<Value> arriving = new ArrayList<>();
    Set<Value> distinct = new HashSet<>();
    for (int from : graph.previous(node)) {
      boolean normally = graph.isNormal(from, node);
      boolean exceptionally = leadsByException(from, node);
      for (boolean way : new boolean[] {true, false}) {
        if (way ? normally : exceptionally) {
          Value value = at(arriving(from, node, way), slot);
          arriving.add(value);
          if (value != merge) {
            distinct.add(value);
          }
        }
      }
    }
    inputs.put(merge, arriving);
    if (distinct.size() != 1) {
      return false;
    }
    replaced.put(new Place(node, slot), distinct.iterator().next());
    return true;
  }

  private Value unset() {
    return value(Value.Kind.UNSET, 0, 0, null, null, 1);
  }

  /** The number 0, as a value. */
  public Value zero() {
    return constant(0);
  }

  private Value constant(int number) {
    return value(Value.Kind.CONSTANT, number, 0, null, null, 1);
  }

  private Value operation(int opcode, Value left, Value right) {
    return value(Value.Kind.OPERATION, opcode, 0, left, right, 1);
  }

  private Value value(
      Value.Kind kind,
      int number,
      int node,
      @Nullable Value left,
      @Nullable Value right,
      int size) {
    Key key =
        new Key(
            kind, number, node, left == null ? -1 : left.serial, right == null ? -1 : right.serial);
    return known.computeIfAbsent(
        key,
        any ->
            new Value(
                kind,
                number,
                node,
                kind == Value.Kind.RESULT ? graph.instruction(node) : null,
                left,
                right,
                size,
                known.size()));
  }

  /** What instructions do to values. Only sums and products of ints are looked into. */
  private final class Semantics extends Interpreter<Value> {
    private final BasicInterpreter types = new BasicInterpreter();
    private int node;

    Semantics() {
      super(Opcodes.ASM9);
    }

    /** What is computed from too much is looked into no further: that takes time for each use. */
    private Value compute(int opcode, Value left, Value right) {
      return left.weight + right.weight < WEIGHT_MAX
          ? operation(opcode, left, right)
          : value(Value.Kind.RESULT, 0, node, null, null, 1);
    }

    private @Nullable Value result(@Nullable BasicValue type) {
      return type == null || type == BasicValue.UNINITIALIZED_VALUE
          ? (type == null ? null : unset())
          : value(Value.Kind.RESULT, 0, node, null, null, type.getSize());
    }

    @Override
    public @Nullable Value newValue(@Nullable Type type) {
      return type == Type.VOID_TYPE ? null : unset();
    }

    @Override
    public @Nullable Value newOperation(AbstractInsnNode instruction) throws AnalyzerException {
      int opcode = instruction.getOpcode();
      if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
        return constant(opcode - Opcodes.ICONST_0);
      }
      if (instruction instanceof IntInsnNode push && opcode != Opcodes.NEWARRAY) {
        return constant(push.operand);
      }
      if (instruction instanceof LdcInsnNode load && load.cst instanceof Integer number) {
        return constant(number);
      }
      return result(types.newOperation(instruction));
    }

    @Override
    public Value copyOperation(AbstractInsnNode instruction, Value value) {
      return value;
    }

    @Override
    public @Nullable Value unaryOperation(AbstractInsnNode instruction, Value value)
        throws AnalyzerException {
      return switch (instruction.getOpcode()) {
        case Opcodes.IINC ->
            compute(Opcodes.IADD, value, constant(((IincInsnNode) instruction).incr));
        case Opcodes.INEG -> compute(Opcodes.ISUB, constant(0), value);
        case Opcodes.CHECKCAST -> value;
        default -> result(types.unaryOperation(instruction, BasicValue.INT_VALUE));
      };
    }

    @Override
    public @Nullable Value binaryOperation(AbstractInsnNode instruction, Value left, Value right)
        throws AnalyzerException {
      int opcode = instruction.getOpcode();
      if (opcode == Opcodes.IADD || opcode == Opcodes.ISUB || opcode == Opcodes.IMUL) {
        return compute(opcode, left, right);
      }
      if (opcode == Opcodes.ISHL && right.kind == Value.Kind.CONSTANT) {
        return compute(Opcodes.IMUL, left, constant(1 << right.number));
      }
      return result(types.binaryOperation(instruction, BasicValue.INT_VALUE, BasicValue.INT_VALUE));
    }

    @Override
    public @Nullable Value ternaryOperation(
        AbstractInsnNode instruction, Value first, Value second, Value third) {
      return null;
    }

    @Override
    public @Nullable Value naryOperation(
        AbstractInsnNode instruction, List<? extends Value> operands) throws AnalyzerException {
      return result(types.naryOperation(instruction, List.of()));
    }

    @Override
    public void returnOperation(AbstractInsnNode instruction, Value value, Value expected) {}

    @Override
    public Value merge(Value first, Value second) {
      throw new UnsupportedOperationException("merges have places of their own");
    }
  }
}
