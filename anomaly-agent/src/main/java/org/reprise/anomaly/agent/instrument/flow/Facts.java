package org.reprise.anomaly.agent.instrument.flow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Inequalities that hold between the ints of a method without handlers when control is at a node:
 * what branches on every way there have found, how halves lie, and what each iteration of a loop
 * keeps. Of the last, and of which sums do not wrap around, more is believed at first than is true;
 * what does not follow from the rest is given up, until all does (Flanagan and Leino 2001).
 */
public final class Facts {
  /**
   * What control has found that comes from one node to another: an int is more than another one by
   * a distance at least.
   */
  private record Condition(int from, int to, Value more, Value less, int distance) {}

  private final FlowGraph graph;
  private final Values values;
  private final List<Loop> loops;
  private final List<Linear> given;
  private final List<Condition> conditions = new ArrayList<>();

  /** What is believed at nodes where ways meet. */
  private final Map<Integer, Set<Linear>> believed = new LinkedHashMap<>();

  /** Sums that are believed not to wrap around, with the nodes that compute them. */
  private final Map<Value, Set<Integer>> exact = new LinkedHashMap<>();

  /** The nodes that halve what is believed to be no less than 0. */
  private final Set<Integer> halves = new LinkedHashSet<>();

  private final Map<Integer, List<Linear>> cache = new HashMap<>();

  /**
   * The facts of a method.
   *
   * @param given what holds when it is called, of its parameters
   */
  public Facts(FlowGraph graph, Values values, List<Loop> loops, List<Linear> given) {
    this.graph = graph;
    this.values = values;
    this.loops = loops;
    this.given = given;
    for (int node : graph.order()) {
      addConditions(node);
      addOperation(node);
      if (divides(graph.instruction(node).getOpcode()) && divisor(node) > 0) {
        halves.add(node);
      }
    }
    believe();
    boolean isShaken = true;
    while (isShaken) {
      isShaken = giveUpSums() || giveUpHalves() || giveUpBeliefs();
    }
  }

  /** Whether a sum is at least 0 whenever control is at a node, given more about parameters. */
  public boolean isAtLeast0(int node, Linear sum, List<Linear> more) {
    List<Linear> facts = new ArrayList<>(at(node));
    facts.addAll(more);
    return Entailment.follows(facts, sum);
  }

  /** Whether control never comes to a node, given more about parameters. */
  public boolean isExcluded(int node, List<Linear> more) {
    return isAtLeast0(node, Linear.number(-1), more);
  }

  /** What branches find about parameters alone on every way to a node. */
  public List<Linear> ofParameters(int node) {
    List<Linear> found = new ArrayList<>();
    for (Condition condition : conditions) {
      if (holds(condition, node)) {
        Linear sum = linear(condition);
        if (sum.terms().keySet().stream().allMatch(value -> value.kind == Value.Kind.ENTRY)) {
          found.add(sum);
        }
      }
    }
    return found;
  }

  /** The int as a sum of what is none itself, or may wrap around. */
  public Linear linear(Value value) {
    Linear sum = value.kind == Value.Kind.OPERATION ? sum(value) : null;
    return sum != null && exact.containsKey(value) ? sum : Linear.of(value);
  }

  private @Nullable Linear sum(Value operation) {
    Value left = operation.left;
    Value right = operation.right;
    if (left == null || right == null) {
      return null;
    }
    return switch (operation.number) {
      case Opcodes.IADD -> linear(left).plus(linear(right));
      case Opcodes.ISUB -> linear(left).minus(linear(right));
      default -> null;
    };
  }

  private Linear linear(Condition condition) {
    return linear(condition.more).minus(linear(condition.less)).plus(-condition.distance);
  }

  private void addConditions(int node) {
    if (!(graph.instruction(node) instanceof JumpInsnNode jump) || graph.next(node).length < 2) {
      return;
    }
    int opcode = jump.getOpcode();
    boolean isOfTwo = opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ICMPLE;
    if (!isOfTwo && (opcode < Opcodes.IFEQ || opcode > Opcodes.IFLE)) {
      return;
    }
    Value left = values.operand(node, isOfTwo ? 1 : 0);
    Value right = isOfTwo ? values.operand(node, 0) : values.zero();
    if (!isCounted(left) || !isCounted(right)) {
      return;
    }
    int jumps = graph.next(node)[1];
    int falls = graph.next(node)[0];
    switch (isOfTwo ? opcode - Opcodes.IF_ICMPEQ + Opcodes.IFEQ : opcode) {
      case Opcodes.IFEQ -> equal(node, jumps, left, right);
      case Opcodes.IFNE -> equal(node, falls, left, right);
      case Opcodes.IFLT -> less(node, jumps, falls, left, right);
      case Opcodes.IFGE -> less(node, falls, jumps, left, right);
      case Opcodes.IFGT -> less(node, jumps, falls, right, left);
      default -> less(node, falls, jumps, right, left);
    }
  }

  private void equal(int node, int to, Value left, Value right) {
    conditions.add(new Condition(node, to, left, right, 0));
    conditions.add(new Condition(node, to, right, left, 0));
  }

  /** To one node if the left one is less than the right one, to another if it is not. */
  private void less(int node, int ifLess, int ifNot, Value left, Value right) {
    conditions.add(new Condition(node, ifLess, right, left, 1));
    conditions.add(new Condition(node, ifNot, left, right, 0));
  }

  /** Elements of arrays and the like are no counters: to leave them out keeps proofs short. */
  private static boolean isCounted(Value value) {
    return switch (value.kind) {
      case CONSTANT, ENTRY, MERGE -> true;
      case OPERATION ->
          value.left != null
              && value.right != null
              && isCounted(value.left)
              && isCounted(value.right);
      case RESULT -> divides(value.opcode());
      case UNSET -> false;
    };
  }

  private static boolean divides(int opcode) {
    return opcode == Opcodes.IUSHR || opcode == Opcodes.ISHR || opcode == Opcodes.IDIV;
  }

  private void addOperation(int node) {
    int opcode = graph.instruction(node).getOpcode();
    if (opcode == Opcodes.IADD
        || opcode == Opcodes.ISUB
        || opcode == Opcodes.INEG
        || opcode == Opcodes.IINC) {
      exact.computeIfAbsent(values.result(node), any -> new HashSet<>()).add(node);
    }
  }

  /** What a node divides by, as 2 if it shifts by 1; 0 if that is not known or large. */
  private int divisor(int node) {
    Value by = values.operand(node, 0);
    boolean isDivision = graph.instruction(node).getOpcode() == Opcodes.IDIV;
    if (by.kind != Value.Kind.CONSTANT || by.number <= 0 || by.number > (isDivision ? 1000 : 9)) {
      return 0;
    }
    return isDivision ? by.number : 1 << by.number;
  }

  private void believe() {
    for (int node : graph.order()) {
      int[] previous = graph.previous(node);
      if (previous.length > 1) {
        Set<Linear> beliefs = new LinkedHashSet<>();
        for (int from : previous) {
          for (Condition condition : conditions) {
            boolean isOnTheWay = condition.from == from && condition.to == node;
            if (isOnTheWay || (holds(condition, from) && !holds(condition, node))) {
              beliefs.add(linear(condition));
            }
          }
        }
        beliefs.removeIf(belief -> !isKnownAt(belief, node));
        loops.stream()
            .filter(loop -> loop.header() == node)
            .forEach(loop -> believe(loop, beliefs));
        believed.put(node, beliefs);
      }
    }
  }

  private boolean isKnownAt(Linear sum, int node) {
    return sum.terms().keySet().stream()
        .allMatch(
            value ->
                value.kind == Value.Kind.ENTRY
                    || (value.node != node || value.kind == Value.Kind.MERGE)
                        && graph.dominates(value.node, node)
                        && value.kind != Value.Kind.OPERATION);
  }

  /** That variables move one way, stop where conditions say so, and move together. */
  private void believe(Loop loop, Set<Linear> beliefs) {
    List<Moved> all = new ArrayList<>();
    Frame<Value> frame = values.frame(loop.header());
    for (int slot = 0; slot < frame.getLocals(); slot++) {
      Value variable = frame.getLocal(slot);
      if (variable.kind == Value.Kind.MERGE
          && variable.node == loop.header()
          && isUsed(loop, slot)) {
        moved(loop, variable).ifPresent(all::add);
      }
    }
    for (int i = 0; i < all.size(); i++) {
      Moved one = all.get(i);
      if (one.steps.stream().allMatch(step -> step >= 0)) {
        beliefs.add(one.since);
      }
      if (one.steps.stream().allMatch(step -> step <= 0)) {
        beliefs.add(Linear.number(0).minus(one.since));
      }
      for (Condition condition : conditions) {
        Linear sum = linear(condition);
        if (loop.contains(condition.from) && sum.terms().containsKey(one.variable)) {
          // The step after which the condition no longer holds.
          beliefs.add(sum.plus(1));
        }
      }
      for (int j = 0; j < all.size(); j++) {
        together(List.of(one, all.get(j)), beliefs);
        for (int k = 0; k < j; k++) {
          together(List.of(one, all.get(j), all.get(k)), beliefs);
        }
      }
    }
    beliefs.removeIf(belief -> !isKnownAt(belief, loop.header()));
  }

  /**
   * A variable of a loop.
   *
   * @param since how far it has moved since the loop was entered
   * @param steps by how much it moves, for each way back to the header
   */
  private record Moved(Value variable, Linear since, List<Long> steps) {}

  private Optional<Moved> moved(Loop loop, Value variable) {
    Set<Value> starts = new HashSet<>();
    List<Long> steps = new ArrayList<>();
    int[] previous = graph.previous(loop.header());
    for (int i = 0; i < previous.length; i++) {
      Value input = values.inputs(variable).get(i);
      Linear step = linear(input).minus(Linear.of(variable));
      if (!loop.contains(previous[i])) {
        starts.add(input);
      } else if (step.terms().isEmpty()) {
        steps.add(step.constant());
      } else {
        return Optional.empty();
      }
    }
    Value start = starts.iterator().next();
    return starts.size() == 1 && isCounted(start)
        ? Optional.of(new Moved(variable, Linear.of(variable).minus(linear(start)), steps))
        : Optional.empty();
  }

  /** The first one moves whenever the others do, and as far as they do together. */
  private static void together(List<Moved> moved, Set<Linear> beliefs) {
    Linear rest = moved.get(0).since;
    List<Long> steps = new ArrayList<>(moved.get(0).steps);
    for (Moved other : moved.subList(1, moved.size())) {
      rest = rest.minus(other.since);
      for (int i = 0; i < steps.size(); i++) {
        steps.set(i, steps.get(i) - other.steps.get(i));
      }
    }
    if (!rest.terms().isEmpty() && steps.stream().allMatch(step -> step == 0)) {
      beliefs.add(rest);
      beliefs.add(Linear.number(0).minus(rest));
    }
  }

  private boolean isUsed(Loop loop, int slot) {
    for (int node : loop.nodes()) {
      if (graph.instruction(node) instanceof VarInsnNode use
          && use.getOpcode() == Opcodes.ILOAD
          && use.var == slot) {
        return true;
      }
    }
    return false;
  }

  private boolean holds(Condition condition, int node) {
    return graph.previous(condition.to).length == 1 && graph.dominates(condition.to, node);
  }

  private List<Linear> at(int node) {
    List<Linear> known = cache.get(node);
    if (known != null) {
      return known;
    }
    Set<Linear> facts = new LinkedHashSet<>(given);
    for (Condition condition : conditions) {
      if (holds(condition, node)) {
        facts.add(linear(condition));
      }
    }
    believed.forEach(
        (where, beliefs) -> {
          if (graph.dominates(where, node)) {
            facts.addAll(beliefs);
          }
        });
    for (int half : halves) {
      if (half != node && graph.dominates(half, node)) {
        Linear rest =
            linear(values.operand(half, 1)).plus(Linear.of(values.result(half)), -divisor(half));
        facts.add(rest);
        facts.add(Linear.number(divisor(half) - 1L).minus(rest));
      }
    }
    List<Linear> found = tightest(facts);
    cache.put(node, found);
    return found;
  }

  /** Of those that differ in the number only, the one that says most. */
  private static List<Linear> tightest(Set<Linear> facts) {
    Map<Map<Value, Long>, Linear> found = new LinkedHashMap<>();
    for (Linear fact : facts) {
      found.merge(fact.terms(), fact, (one, two) -> one.constant() <= two.constant() ? one : two);
    }
    return List.copyOf(found.values());
  }

  private boolean giveUpSums() {
    List<Value> wrong = new ArrayList<>();
    exact.forEach(
        (value, nodes) -> {
          Linear sum = sum(value);
          boolean isRight =
              sum != null
                  && nodes.stream()
                      .allMatch(
                          node ->
                              Entailment.follows(at(node), sum.plus(-(long) Integer.MIN_VALUE))
                                  && Entailment.follows(
                                      at(node), Linear.number(Integer.MAX_VALUE).minus(sum)));
          if (!isRight) {
            wrong.add(value);
          }
        });
    exact.keySet().removeAll(wrong);
    return isShaken(!wrong.isEmpty());
  }

  private boolean giveUpHalves() {
    return isShaken(
        halves.removeIf(node -> !Entailment.follows(at(node), linear(values.operand(node, 1)))));
  }

  private boolean giveUpBeliefs() {
    boolean any = false;
    for (Map.Entry<Integer, Set<Linear>> entry : believed.entrySet()) {
      int node = entry.getKey();
      any |= isShaken(entry.getValue().removeIf(belief -> !isKept(node, belief)));
    }
    return any;
  }

  private boolean isShaken(boolean any) {
    if (any) {
      cache.clear();
    }
    return any;
  }

  /** Whether a belief holds on every way to its node. */
  private boolean isKept(int node, Linear belief) {
    int[] previous = graph.previous(node);
    for (int i = 0; i < previous.length; i++) {
      Linear arriving = Linear.number(belief.constant());
      for (Map.Entry<Value, Long> term : belief.terms().entrySet()) {
        Value value = term.getKey();
        boolean isMerged = value.kind == Value.Kind.MERGE && value.node == node;
        arriving =
            arriving.plus(linear(isMerged ? values.inputs(value).get(i) : value), term.getValue());
      }
      List<Linear> facts = new ArrayList<>(at(previous[i]));
      for (Condition condition : conditions) {
        if (condition.from == previous[i] && condition.to == node) {
          facts.add(linear(condition));
        }
      }
      if (!Entailment.follows(facts, arriving)) {
        return false;
      }
    }
    return true;
  }
}
