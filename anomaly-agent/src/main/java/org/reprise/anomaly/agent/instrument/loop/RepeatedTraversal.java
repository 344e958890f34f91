package org.reprise.anomaly.agent.instrument.loop;

import java.util.List;
import java.util.Optional;
import org.objectweb.asm.Opcodes;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.code.Motion;
import org.reprise.anomaly.agent.instrument.code.Temporaries;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;

/**
 * An access whose inner loop visits the same elements each time the loop around it comes to it:
 * {@code x[list[j]]} for all {@code j}, in a loop over something else. The first time is enough.
 *
 * @param inner the loop whose elements are the same
 * @param around the loop in which they are
 * @param done the local variable that is 1 once the inner loop has been left
 */
public record RepeatedTraversal(Loop inner, Loop around, int done) {

  /** Finds the outermost loop of a nest in which the access repeats itself. */
  static Optional<RepeatedTraversal> of(
      AccessInstruction access,
      Loop inner,
      Loop nest,
      Region region,
      FlowGraph graph,
      Values values,
      Temporaries temporaries) {
    Loop around = null;
    for (Loop loop = inner.parent();
        loop != null
            && nest.contains(loop)
            && new Sameness(inner, loop, region, graph, values).of(access);
        loop = loop.parent()) {
      around = loop;
    }
    return around == null
        ? Optional.empty()
        : Optional.of(new RepeatedTraversal(inner, around, temporaries.newInt()));
  }

  /** What is the same in the k-th iteration of the inner loop, whenever that loop is entered. */
  private record Sameness(Loop inner, Loop around, Region region, FlowGraph graph, Values values) {

    boolean of(AccessInstruction access) {
      Value array = access.target();
      Value index = access.index();
      return array != null
          && index != null
          && inner.isInEveryIteration(graph, access.node())
          && isSame(array)
          && isSame(index)
          && endsTheSameWay();
    }

    /** Every way out of the inner loop is a comparison of what is the same. */
    private boolean endsTheSameWay() {
      for (int node : inner.nodes()) {
        for (int to : graph.next(node)) {
          int opcode = graph.instruction(node).getOpcode();
          boolean compares = opcode >= Opcodes.IFEQ && opcode <= Opcodes.IF_ACMPNE;
          if (!inner.contains(to)
              && !(compares && values.operands(node).stream().allMatch(this::isSame))) {
            return false;
          }
        }
      }
      return true;
    }

    private boolean isSame(Value value) {
      if (region.isInvariant(value, around)) {
        return true;
      }
      return switch (value.kind) {
        case MERGE ->
            Motion.of(graph, values, inner, value).filter(motion -> isSteady(value)).isPresent();
        case OPERATION ->
            value.left != null && value.right != null && isSame(value.left) && isSame(value.right);
        case RESULT ->
            region.isRepeatable(value)
                && values.operands(value.node).stream().allMatch(this::isSame);
        default -> false;
      };
    }

    /** Whether the inner loop's variable begins the same way and moves in every iteration. */
    private boolean isSteady(Value variable) {
      int[] previous = graph.previous(inner.header());
      List<Value> inputs = values.inputs(variable);
      for (int i = 0; i < previous.length; i++) {
        if (inner.contains(previous[i])
            ? inputs.get(i).kind != Value.Kind.OPERATION
            : !region.isInvariant(inputs.get(i), around)) {
          return false;
        }
      }
      return true;
    }
  }
}
