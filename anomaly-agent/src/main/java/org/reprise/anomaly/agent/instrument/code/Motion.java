package org.reprise.anomaly.agent.instrument.code;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;

/**
 * How a local variable moves through a loop: from one iteration to the next by a fixed step, or by
 * that step or not at all. Either way it takes every value from its first to its last in steps.
 *
 * @param variable what the variable holds at the start of an iteration
 */
public record Motion(Loop loop, Value variable, int step) {
  public static Optional<Motion> of(FlowGraph graph, Values values, Loop loop, Value variable) {
    if (variable.kind != Value.Kind.MERGE
        || variable.node != loop.header()
        || variable.number < 0
        || variable.number >= values.frame(loop.header()).getLocals()) {
      return Optional.empty();
    }
    Set<Integer> steps = new HashSet<>();
    int[] previous = graph.previous(loop.header());
    List<Value> inputs = values.inputs(variable);
    if (inputs.size() != previous.length) {
      return Optional.empty();
    }
    for (int i = 0; i < previous.length; i++) {
      if (loop.contains(previous[i])
          && !addSteps(values, variable, inputs.get(i), loop, steps, new HashSet<>())) {
        return Optional.empty();
      }
    }
    // An iteration that does not move the variable visits its value once more.
    steps.remove(0);
    return steps.size() == 1
        ? Optional.of(new Motion(loop, variable, steps.iterator().next()))
        : Optional.empty();
  }

  /** Whether each iteration moves the variable by the step. */
  public boolean isSteady(FlowGraph graph, Values values) {
    int[] previous = graph.previous(loop.header());
    List<Value> inputs = values.inputs(variable);
    for (int i = 0; i < previous.length; i++) {
      if (loop.contains(previous[i])) {
        Polynomial moved = Polynomial.of(inputs.get(i)).minus(Polynomial.of(variable));
        if (!moved.isConstant() || moved.constant() != step) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean addSteps(
      Values values, Value variable, Value end, Loop loop, Set<Integer> steps, Set<Value> seen) {
    if (end == variable) {
      steps.add(0);
      return true;
    }
    if (end.kind == Value.Kind.MERGE && loop.contains(end.node)) {
      if (!seen.add(end)) {
        // An inner loop moves the variable: by how much, nobody knows.
        return false;
      }
      List<Value> inputs = values.inputs(end);
      return !inputs.isEmpty()
          && inputs.stream()
              .allMatch(
                  input -> addSteps(values, variable, input, loop, steps, new HashSet<>(seen)));
    }
    Polynomial difference = Polynomial.of(end).minus(Polynomial.of(variable));
    if (!difference.isConstant()) {
      return false;
    }
    steps.add(difference.constant());
    return true;
  }
}
