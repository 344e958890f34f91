package org.reprise.anomaly.agent.instrument.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.reprise.anomaly.agent.instrument.code.Motion;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;

/**
 * A variable that a loop counts with: up from its start by a step as long as it is below a bound,
 * which is tested before all else, and nothing else leaves the loop but exceptions.
 *
 * @param test the node that leaves the loop
 * @param ahead what the loop compares is so much more than the variable, as in {@code i + 1 < n}
 * @param isUpTo what it compares may be as high as the bound
 */
public record Counter(
    Loop loop,
    Value variable,
    int test,
    Value start,
    int ahead,
    Value bound,
    boolean isUpTo,
    int step) {

  /** What a loop counts with, if it compares the variable itself. */
  public static Optional<Counter> of(FlowGraph graph, Values values, Loop loop) {
    return ahead(graph, values, loop).filter(counter -> counter.ahead == 0);
  }

  /** What a loop counts with, which may compare it with something added. */
  public static Optional<Counter> ahead(FlowGraph graph, Values values, Loop loop) {
    int test = test(graph, loop);
    if (test < 0 || graph.next(test).length != 2) {
      return Optional.empty();
    }
    boolean jumpsOut = !loop.contains(graph.next(test)[1]);
    int opcode = graph.instruction(test).getOpcode();
    boolean isBelow = opcode == (jumpsOut ? Opcodes.IF_ICMPGE : Opcodes.IF_ICMPLT);
    boolean isUpTo = opcode == (jumpsOut ? Opcodes.IF_ICMPGT : Opcodes.IF_ICMPLE);
    if (!isBelow && !isUpTo) {
      return Optional.empty();
    }
    Value compared = values.operand(test, 1);
    Value variable = variable(compared, loop);
    Polynomial ahead = Polynomial.of(compared).minus(Polynomial.of(variable));
    Motion motion = Motion.of(graph, values, loop, variable).orElse(null);
    if (motion == null
        || motion.step() <= 0
        || !ahead.isConstant()
        || !motion.isSteady(graph, values)) {
      return Optional.empty();
    }
    Value start = start(graph, values, loop, variable);
    return start == null
        ? Optional.empty()
        : Optional.of(
            new Counter(
                loop,
                variable,
                test,
                start,
                ahead.constant(),
                values.operand(test, 0),
                isUpTo,
                motion.step()));
  }

  /** The variable of the loop in a sum; the whole value if there is none. */
  private static Value variable(Value sum, Loop loop) {
    return Polynomial.of(sum).terms().keySet().stream()
        .filter(factors -> factors.size() == 1)
        .map(factors -> factors.get(0))
        .filter(factor -> factor.kind == Value.Kind.MERGE && factor.node == loop.header())
        .findFirst()
        .orElse(sum);
  }

  /** What the variable is before the loop; null if there are several ways into it. */
  private static @Nullable Value start(FlowGraph graph, Values values, Loop loop, Value variable) {
    int[] previous = graph.previous(loop.header());
    Value start = null;
    for (int i = 0; i < previous.length; i++) {
      boolean isEntry = !loop.contains(previous[i]);
      if (!graph.isNormal(previous[i], loop.header()) || (isEntry && start != null)) {
        return null;
      }
      start = isEntry ? values.inputs(variable).get(i) : start;
    }
    return start;
  }

  /** The only node that leaves the loop, which is in every iteration; else -1. */
  private static int test(FlowGraph graph, Loop loop) {
    int test = -1;
    for (int node : loop.nodes()) {
      for (int to : graph.next(node)) {
        if (!loop.contains(to)) {
          if (test >= 0) {
            return -1;
          }
          test = node;
        }
      }
    }
    return test >= 0 && loop.isInEveryIteration(graph, test) ? test : -1;
  }

  /** Whether the node is executed only where the test went on with the loop. */
  public boolean isInside(FlowGraph graph, int node) {
    return node != test && loop.contains(node) && graph.dominates(test, node);
  }

  /** The variable's values inside the loop, from constant to constant; null if they are not. */
  public @Nullable List<Integer> constants(int countMax) {
    Polynomial first = Polynomial.of(start);
    Polynomial last = Polynomial.of(bound);
    if (!first.isConstant() || !last.isConstant()) {
      return null;
    }
    long below = last.constant() + (isUpTo ? 1L : 0);
    List<Integer> found = new ArrayList<>();
    for (long at = first.constant(); at < below; at += step) {
      if (found.size() == countMax || at + step > Integer.MAX_VALUE) {
        return null;
      }
      found.add((int) at);
    }
    return found;
  }
}
