package org.reprise.anomaly.agent.instrument.parts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.code.Motion;
import org.reprise.anomaly.agent.instrument.code.PassedPlaces;
import org.reprise.anomaly.agent.instrument.flow.Facts;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Linear;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.program.Site;

/** Looks for the {@link ArrayPart} of its arrays that one method works on. */
final class ArrayPartSearch {
  /** Longer methods, and such with more ints, are not looked at: loading a class stays quick. */
  private static final int NODES_MAX = 300;

  private static final int INTS_MAX = 4;

  private final ClassNode owner;
  private final MethodNode method;
  private final Map<String, ArrayPart> known;
  private final FlowGraph graph;
  private final Values values;
  private final List<Loop> loops;
  private final List<AccessInstruction> accesses = new ArrayList<>();
  private final List<Integer> calls = new ArrayList<>();
  private final List<Integer> returns = new ArrayList<>();

  /** Elements that were surely accessed, when control has come to a node. */
  private record Range(Linear from, Linear to, Site site) {}

  private ArrayPartSearch(
      ClassNode owner, MethodNode method, Map<String, ArrayPart> known, FlowGraph graph)
      throws AnalyzerException {
    this.owner = owner;
    this.method = method;
    this.known = known;
    this.graph = graph;
    this.values = new Values(method, graph);
    this.loops = Loop.of(graph);
  }

  /** Whether it is worth the effort to look at a method. */
  static boolean isCandidate(MethodNode method) {
    int wrong = Opcodes.ACC_SYNCHRONIZED | Opcodes.ACC_NATIVE;
    return (method.access & Opcodes.ACC_STATIC) != 0
        && (method.access & wrong) == 0
        && method.tryCatchBlocks.isEmpty()
        && method.instructions.size() <= NODES_MAX
        && ints(method).size() >= 2
        && ints(method).size() <= INTS_MAX
        && hasArray(method);
  }

  /**
   * The part of a candidate, if it has one.
   *
   * @param known those of the methods that it calls
   */
  static Optional<ArrayPart> of(ClassNode owner, MethodNode method, Map<String, ArrayPart> known)
      throws AnalyzerException {
    FlowGraph graph = new FlowGraph(method);
    if (graph.previous(0).length > 0) {
      return Optional.empty();
    }
    ArrayPartSearch search = new ArrayPartSearch(owner, method, known, graph);
    return search.isPlain() ? search.find() : Optional.empty();
  }

  private static boolean hasArray(MethodNode method) {
    for (Type type : Type.getArgumentTypes(method.desc)) {
      if (type.getSort() == Type.ARRAY) {
        return true;
      }
    }
    return false;
  }

  /** The local variables of parameters that are ints. */
  private static List<Integer> ints(MethodNode method) {
    List<Integer> ints = new ArrayList<>();
    int local = 0;
    for (Type type : Type.getArgumentTypes(method.desc)) {
      if (type == Type.INT_TYPE) {
        ints.add(local);
      }
      local += type.getSize();
    }
    return ints;
  }

  /** Whether the method only computes, with elements of arrays that it was given. */
  private boolean isPlain() {
    for (int node : graph.order()) {
      AbstractInsnNode instruction = graph.instruction(node);
      int opcode = instruction.getOpcode();
      AccessInstruction access = AccessInstruction.of(graph, values, node);
      if (access != null) {
        boolean isNumber = opcode != Opcodes.AALOAD && opcode != Opcodes.AASTORE;
        if (!isNumber || !access.isElement() || !isParameter(access.target())) {
          return false;
        }
        accesses.add(access);
      } else if (instruction instanceof MethodInsnNode call) {
        boolean isKnown =
            call.owner.equals(owner.name)
                && (known.containsKey(ArrayParts.key(call))
                    || ArrayParts.key(call).equals(ArrayParts.key(method)));
        if (opcode != Opcodes.INVOKESTATIC || !isKnown) {
          return false;
        }
        calls.add(node);
      } else if (FlowGraph.mayThrow(opcode) && !isHarmless(node)) {
        return false;
      } else if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        returns.add(node);
      }
    }
    return !returns.isEmpty();
  }

  private static boolean isParameter(@Nullable Value value) {
    return value != null && value.kind == Value.Kind.ENTRY;
  }

  private boolean isHarmless(int node) {
    AbstractInsnNode instruction = graph.instruction(node);
    return switch (instruction.getOpcode()) {
      case Opcodes.LDC -> ((LdcInsnNode) instruction).cst instanceof Number;
      case Opcodes.IDIV, Opcodes.IREM -> {
        Value by = values.operand(node, 0);
        yield by.kind == Value.Kind.CONSTANT && by.number != 0;
      }
      default -> false;
    };
  }

  private Optional<ArrayPart> find() {
    List<Integer> ints = ints(method);
    ArrayPart found = null;
    for (int high = ints.size() - 1; high > 0; high--) {
      for (int low = 0; low < high; low++) {
        for (Attempt attempt : attempts(entry(ints.get(low)), entry(ints.get(high)), ints)) {
          ArrayPart part = attempt.part();
          if (part != null && part.isWhole()) {
            return Optional.of(part);
          }
          found = found == null ? part : found;
        }
      }
    }
    return Optional.ofNullable(found);
  }

  private Linear entry(int local) {
    return Linear.of(values.frame(0).getLocal(local));
  }

  /**
   * The last of two ints belongs to the part, or is behind it. Others, as where two pieces meet,
   * lie anywhere, or between the two.
   */
  private List<Attempt> attempts(Linear low, Linear high, List<Integer> ints) {
    List<Linear> between = new ArrayList<>();
    for (int local : ints) {
      Linear other = entry(local);
      if (!other.equals(low) && !other.equals(high)) {
        between.add(other.minus(low));
        between.add(high.minus(other));
      }
    }
    // If it fails with the most elements and the most conditions, nothing else helps: unless the
    // method calls itself, which then must meet these conditions.
    if (!isRecursive() && attempt(low, high, 1, high.minus(low), between).part() == null) {
      return List.of();
    }
    List<Attempt> attempts = new ArrayList<>();
    for (int behind = 0; behind <= 1; behind++) {
      Linear length = high.plus(behind).minus(low);
      attempts.add(attempt(low, high, behind, length, List.of()));
      if (!between.isEmpty()) {
        attempts.add(attempt(low, high, behind, length, between));
      }
    }
    return attempts;
  }

  private Attempt attempt(
      Linear low, Linear high, int behind, Linear length, List<Linear> between) {
    Linear end = high.plus(behind);
    // With smaller arrays than there might be, the sum of two indices is an int.
    Linear more = Linear.number(Integer.MAX_VALUE / 2).minus(end);
    List<Linear> conditions = new ArrayList<>(List.of(low, length, more));
    conditions.addAll(between);
    return new Attempt(low, end, conditions);
  }

  private boolean isRecursive() {
    return calls.stream()
        .anyMatch(
            call ->
                ArrayParts.key((MethodInsnNode) graph.instruction(call))
                    .equals(ArrayParts.key(method)));
  }

  /** One choice of the part and of the conditions, under which it may turn out to be right. */
  private final class Attempt {
    private final Linear low;
    private final Linear end;
    private final List<Linear> conditions;
    private @Nullable Facts facts;

    Attempt(Linear low, Linear end, List<Linear> conditions) {
      this.low = low;
      this.end = end;
      this.conditions = conditions;
    }

    /** Not found before they are asked for: it takes a while. */
    private Facts facts() {
      if (facts == null) {
        facts = new Facts(graph, values, loops, conditions);
      }
      return facts;
    }

    @Nullable ArrayPart part() {
      Map<Integer, Boolean> arrays = new LinkedHashMap<>();
      for (AccessInstruction access : accesses) {
        Value array = access.target();
        Value index = access.index();
        if (array == null
            || index == null
            || !isInside(access.node(), facts().linear(index), facts().linear(index).plus(1))) {
          return null;
        }
        arrays.merge(array.number, access.isWrite(), Boolean::logicalOr);
      }
      ArrayPart self = new ArrayPart(method, low, end, conditions, arrays, List.of(), Map.of());
      Map<Integer, Boolean> before;
      do {
        // An inner call of the method itself accesses what was found since, too.
        before = Map.copyOf(arrays);
        for (int call : calls) {
          if (!isInside(call, callee(call, self), arrays)) {
            return null;
          }
        }
      } while (!before.equals(arrays));
      return withSites(self);
    }

    private boolean isInside(int node, Linear from, Linear to) {
      return facts().isAtLeast0(node, from.minus(low), List.of())
          && facts().isAtLeast0(node, end.minus(to), List.of());
    }

    private ArrayPart callee(int call, ArrayPart self) {
      return known.getOrDefault(ArrayParts.key((MethodInsnNode) graph.instruction(call)), self);
    }

    /** Whether a call accesses only what lies in the part; its arrays are among the method's. */
    private boolean isInside(int call, ArrayPart callee, Map<Integer, Boolean> arrays) {
      for (Map.Entry<Integer, Boolean> array : Map.copyOf(callee.arrays()).entrySet()) {
        Value passed = argument(call, array.getKey());
        if (!isParameter(passed)) {
          return false;
        }
        arrays.merge(passed.number, array.getValue(), Boolean::logicalOr);
      }
      return isInside(call, passed(call, callee.low()), passed(call, callee.end()))
          && hold(call, callee.conditions(), List.of());
    }

    private boolean hold(int call, List<Linear> wanted, List<Linear> more) {
      return wanted.stream()
          .allMatch(condition -> facts().isAtLeast0(call, passed(call, condition), more));
    }

    private Linear passed(int call, Linear sum) {
      return ArrayPart.passed(sum, parameter -> facts().linear(argument(call, parameter.number)));
    }

    /** With what is known of the calls that end at one of the returns. */
    private ArrayPart withSites(ArrayPart part) {
      for (int node : returns) {
        List<Linear> all = facts().ofParameters(node);
        if (returns.stream().allMatch(other -> other == node || facts().isExcluded(other, all))) {
          Map<Integer, Site> sites = new LinkedHashMap<>();
          part.arrays()
              .forEach(
                  (array, isWritten) ->
                      covering(ranges(array, isWritten, node, all), node, all)
                          .ifPresent(site -> sites.put(array, site)));
          ArrayPart whole = new ArrayPart(method, low, end, conditions, part.arrays(), all, sites);
          if (whole.isWhole()) {
            return whole;
          }
        }
      }
      return part;
    }

    /** Whether ranges, one after the other, are all of the part; then the first one's site. */
    private Optional<Site> covering(List<Range> ranges, int node, List<Linear> all) {
      List<Range> rest = new ArrayList<>(ranges);
      Optional<Site> site = Optional.empty();
      Linear reached = low;
      while (!facts().isAtLeast0(node, reached.minus(end), all) || site.isEmpty()) {
        Linear here = reached;
        Optional<Range> next =
            rest.stream()
                .filter(range -> facts().isAtLeast0(node, here.minus(range.from), all))
                .findFirst();
        if (next.isEmpty()) {
          return Optional.empty();
        }
        reached = next.get().to;
        site = site.or(() -> next.map(Range::site));
        rest.remove(next.get());
      }
      return site;
    }

    /** What was surely accessed, or surely written, when control comes to a node. */
    private List<Range> ranges(int array, boolean isWritten, int node, List<Linear> all) {
      List<Range> ranges = new ArrayList<>();
      for (int call : calls) {
        ArrayPart callee = known.get(ArrayParts.key((MethodInsnNode) graph.instruction(call)));
        if (callee != null
            && callee.isWhole()
            && graph.dominates(call, node)
            && hold(call, callee.conditions(), all)
            && hold(call, callee.conditionsOfAll(), all)) {
          callee
              .sites()
              .forEach(
                  (parameter, site) -> {
                    boolean isEnough = !isWritten || callee.arrays().getOrDefault(parameter, false);
                    if (isEnough && argument(call, parameter).number == array) {
                      ranges.add(
                          new Range(passed(call, callee.low()), passed(call, callee.end()), site));
                    }
                  });
        }
      }
      Set<Value> seen = new HashSet<>();
      for (AccessInstruction access : accesses) {
        Value index = access.index();
        if (isOf(access, array, isWritten) && index != null && seen.add(index)) {
          range(access, index, isWritten, node).ifPresent(ranges::add);
        }
      }
      return ranges;
    }

    private boolean isOf(AccessInstruction access, int array, boolean isWritten) {
      return access.target() != null
          && access.target().number == array
          && (access.isWrite() || !isWritten);
    }

    /** What accesses with one index touch in a loop, in one branch or another of it. */
    private Optional<Range> range(
        AccessInstruction access, Value index, boolean isWritten, int node) {
      Loop loop =
          loops.stream().filter(one -> one.contains(access.node())).findFirst().orElse(null);
      if (loop == null || !graph.dominates(loop.header(), node)) {
        return Optional.empty();
      }
      Linear at = facts().linear(index);
      for (Value variable : at.terms().keySet()) {
        Optional<Motion> motion = Motion.of(graph, values, loop, variable);
        Linear rest = at.minus(Linear.of(variable));
        if (motion.isPresent() && rest.terms().isEmpty()) {
          List<Integer> places = new ArrayList<>();
          for (AccessInstruction other : accesses) {
            if (other.index() == index
                && access.target() != null
                && isOf(other, access.target().number, isWritten)) {
              places.add(other.node());
            }
          }
          boolean isInLoop = places.stream().allMatch(loop::contains);
          if (isInLoop && new PassedPlaces(graph, loop, places).isBeforeMoves(variable, values)) {
            return start(loop, variable)
                .flatMap(
                    start ->
                        range(motion.get().step(), facts().linear(start).plus(rest), at, access));
          }
        }
      }
      return Optional.empty();
    }

    private Optional<Range> range(int step, Linear start, Linear last, AccessInstruction access) {
      return switch (step) {
        case 1 -> Optional.of(new Range(start, last, site(access)));
        case -1 -> Optional.of(new Range(last.plus(1), start.plus(1), site(access)));
        default -> Optional.empty();
      };
    }
  }

  /** What a variable holds when the loop is entered, if that is one thing. */
  private Optional<Value> start(Loop loop, Value variable) {
    Set<Value> starts = new HashSet<>();
    int[] previous = graph.previous(loop.header());
    for (int i = 0; i < previous.length; i++) {
      if (!loop.contains(previous[i])) {
        starts.add(values.inputs(variable).get(i));
      }
    }
    return starts.size() == 1 ? Optional.of(starts.iterator().next()) : Optional.empty();
  }

  /** What a call passes for the parameter that is in a local variable of the method called. */
  private Value argument(int call, int local) {
    Type[] types = Type.getArgumentTypes(((MethodInsnNode) graph.instruction(call)).desc);
    int at = 0;
    for (int i = 0; i < types.length; i++) {
      if (at == local) {
        return values.operand(call, types.length - 1 - i);
      }
      at += types[i].getSize();
    }
    throw new IllegalArgumentException("no parameter");
  }

  private Site site(AccessInstruction access) {
    return Site.ofElement(owner, method, access.instruction());
  }
}
