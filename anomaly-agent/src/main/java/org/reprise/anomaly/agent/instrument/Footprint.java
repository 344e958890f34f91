package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.loop.Coalescing;
import org.reprise.anomaly.agent.instrument.loop.ConstantArrays;
import org.reprise.anomaly.agent.instrument.loop.Counter;
import org.reprise.anomaly.agent.instrument.loop.Region;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;

/**
 * What a method accesses, where that is known when it is entered: the body of a loop over rows,
 * say, that goes through one row from here to there. It goes one way only, through loops that count
 * from one number up to another, and arrays, numbers and bounds follow from what it is entered
 * with. If the arrays hold all of it, nothing is thrown, and the method does exactly that.
 */
final class Footprint {
  /** Elements of one array: from a place to below another, each stride-th. */
  record Piece(AccessInstruction access, Value array, Polynomial from, Polynomial to, int stride) {
    /** Whether another writes the elements that this one reads. */
    boolean isCoveredBy(Piece other) {
      return !access.isWrite()
          && other.access.isWrite()
          && other.array == array
          && other.stride == stride
          && other.from.equals(from)
          && other.to.equals(to);
    }
  }

  /**
   * A loop that counts, and is known to do so at least once if its start is below its bound; and,
   * since ints wrap around, if that is so with something added to both where the loop compares so
   * much more.
   */
  record Count(Value variable, int test, Polynomial start, Polynomial bound, int step, int ahead) {
    Polynomial comparedStart() {
      return plus(start, Polynomial.constant(ahead));
    }

    Polynomial comparedBound() {
      return plus(bound, Polynomial.constant(ahead));
    }
  }

  private static final Polynomial ONE = Polynomial.constant(1);

  private final MethodNode method;
  private final FlowGraph graph;
  private final Values values;
  private final Region region;
  private final CheckedFields fields;
  private final ConstantArrays constants;
  private final Map<Loop, Count> counts = new LinkedHashMap<>();
  private final List<Piece> pieces = new ArrayList<>();

  private Footprint(
      MethodNode method,
      FlowGraph graph,
      Values values,
      Region region,
      CheckedFields fields,
      ConstantArrays constants) {
    this.method = method;
    this.graph = graph;
    this.values = values;
    this.region = region;
    this.fields = fields;
    this.constants = constants;
  }

  /**
   * The footprint of a method that is one block; empty if it is not known.
   *
   * @param all the method's accesses, those included that need no check
   */
  static Optional<Footprint> of(
      MethodNode method,
      FlowGraph graph,
      Values values,
      Region region,
      CheckedFields fields,
      ConstantArrays constants,
      List<Loop> loops,
      List<AccessInstruction> all) {
    Footprint found = new Footprint(method, graph, values, region, fields, constants);
    boolean isKnown =
        (method.access & Opcodes.ACC_SYNCHRONIZED) == 0
            && method.tryCatchBlocks.isEmpty()
            && !method.name.startsWith("<")
            && region.isOneBlock()
            && loops.stream().allMatch(found::add)
            && found.goesOneWay()
            && all.stream().allMatch(access -> !access.isElement() || found.add(access, loops))
            && !found.hasGapsToFill();
    return isKnown ? Optional.of(found) : Optional.empty();
  }

  List<Piece> pieces() {
    return pieces;
  }

  /** Whether there is more to it than single elements. */
  boolean hasLoops() {
    return !counts.isEmpty();
  }

  Collection<Count> counts() {
    return counts.values();
  }

  /** Arrays whose lengths the method asks for. */
  Set<Value> measured() {
    Set<Value> arrays = new LinkedHashSet<>();
    for (int node : graph.order()) {
      if (graph.instruction(node).getOpcode() == Opcodes.ARRAYLENGTH) {
        arrays.add(region.same(values.operand(node, 0)));
      }
    }
    return arrays;
  }

  /** Whether the elements of an array are always the same. */
  boolean isConstant(Value array) {
    return constants.isLasting(values, array);
  }

  Region region() {
    return region;
  }

  Values values() {
    return values;
  }

  /** Adds a loop; false if it does not count, or nobody knows from where to where. */
  private boolean add(Loop loop) {
    Counter counter = Counter.ahead(graph, values, loop).orElse(null);
    if (counter == null) {
      return false;
    }
    Polynomial start = region.polynomial(counter.start());
    Polynomial bound = region.polynomial(counter.bound());
    Polynomial below =
        plus(bound, Polynomial.constant((counter.isUpTo() ? 1 : 0) - counter.ahead()));
    counts.put(
        loop,
        new Count(
            counter.variable(), counter.test(), start, below, counter.step(), counter.ahead()));
    return isComputable(start) && isComputable(bound);
  }

  /** Whether nothing but the loops branches, and nothing throws but what accesses arrays. */
  private boolean goesOneWay() {
    for (int node : graph.order()) {
      if (!isPlain(node)) {
        return false;
      }
    }
    return true;
  }

  private boolean isPlain(int node) {
    AbstractInsnNode instruction = graph.instruction(node);
    int opcode = instruction.getOpcode();
    if (instruction instanceof JumpInsnNode && opcode != Opcodes.GOTO) {
      return counts.values().stream().anyMatch(count -> count.test == node);
    }
    return switch (opcode) {
      case Opcodes.TABLESWITCH, Opcodes.LOOKUPSWITCH, Opcodes.AASTORE -> false;
      case Opcodes.IDIV, Opcodes.IREM -> RowVisitSearch.isDivisor(values.operand(node, 0));
      case Opcodes.LDC -> ((LdcInsnNode) instruction).cst instanceof Number;
      case Opcodes.GETFIELD -> isConstant((FieldInsnNode) instruction, values.operand(node, 0));
      // To read a field of the class itself initialises nothing.
      case Opcodes.GETSTATIC -> fields.isOwnConstant((FieldInsnNode) instruction);
      case Opcodes.ARRAYLENGTH -> isComputable(region.same(values.operand(node, 0)));
      case Opcodes.INVOKESTATIC -> RowVisitSearch.isFunction((MethodInsnNode) instruction);
      default -> AccessInstruction.isElement(opcode) || !FlowGraph.mayThrow(opcode);
    };
  }

  private boolean isConstant(FieldInsnNode field, Value object) {
    return object.kind == Value.Kind.ENTRY
        && object.number == 0
        && (method.access & Opcodes.ACC_STATIC) == 0
        && fields.isFinal(field)
        && fields.variable(field).isEmpty();
  }

  private boolean add(AccessInstruction access, List<Loop> loops) {
    Value target = access.target();
    Value index = access.index();
    if (target == null || index == null || !isComputable(region.same(target))) {
      return false;
    }
    Value array = region.same(target);
    Polynomial place = region.polynomial(index);
    if (isComputable(place)) {
      pieces.add(new Piece(access, array, place, plus(place, ONE), 1));
      return true;
    }
    for (Loop loop : loops) {
      Count count = counts.get(loop);
      if (count != null && isInside(access, loop, count)) {
        Polynomial rest = place.without(count.variable);
        if (place.coefficient(count.variable).equals(ONE) && isComputable(rest)) {
          pieces.add(
              new Piece(
                  access, array, plus(count.start, rest), plus(count.bound, rest), count.step));
          return true;
        }
      }
    }
    return false;
  }

  /** Whether an access is in each iteration of a loop, and nowhere else. */
  private boolean isInside(AccessInstruction access, Loop loop, Count count) {
    return loop.contains(access.node()) && graph.dominates(count.test, access.node());
  }

  /** Whether ranges with gaps are one without, which is left to {@link Coalescing}. */
  private boolean hasGapsToFill() {
    List<Piece> told =
        pieces.stream().filter(piece -> pieces.stream().noneMatch(piece::isCoveredBy)).toList();
    for (Piece one : told) {
      for (Piece other : told) {
        if (one.stride > 1
            && other.stride == one.stride
            && other.array == one.array
            && other.access.isWrite() == one.access.isWrite()
            && other.from.minus(one.from).equals(ONE)) {
          return true;
        }
      }
    }
    return false;
  }

  private static Polynomial plus(Polynomial one, Polynomial other) {
    return one.minus(Polynomial.constant(0).minus(other));
  }

  private boolean isComputable(Polynomial number) {
    return !number.mentions(value -> !isComputable(value));
  }

  /** Whether a value follows from what the method is entered with. */
  private boolean isComputable(Value value) {
    return switch (value.kind) {
      case CONSTANT, ENTRY -> true;
      case OPERATION ->
          value.left != null
              && value.right != null
              && isComputable(region.same(value.left))
              && isComputable(region.same(value.right));
      case RESULT ->
          switch (value.opcode()) {
            case Opcodes.GETSTATIC -> true;
            case Opcodes.GETFIELD, Opcodes.ARRAYLENGTH, Opcodes.AALOAD -> operandsAre(value);
            case Opcodes.IDIV, Opcodes.IREM, Opcodes.IAND, Opcodes.IOR, Opcodes.IXOR ->
                operandsAre(value);
            default -> false;
          };
      case MERGE, UNSET -> false;
    };
  }

  private boolean operandsAre(Value value) {
    return values.operands(value.node).stream()
        .allMatch(operand -> isComputable(region.same(operand)));
  }
}
