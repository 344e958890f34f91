package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.loop.Counter;
import org.reprise.anomaly.agent.instrument.loop.EntryValues;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;

/**
 * A loop that counts, and calls a {@link RowVisit} in every iteration for the row that its variable
 * numbers, or that an array numbers at its variable. Nothing else in it can throw, or store
 * anything, or end the block; so if the visits throw nothing, what all of them access is known
 * before the first one.
 *
 * @param offset what is added to the counter
 * @param numbers the array of numbers; null if the counter is the number itself
 * @param entry where bound and numbers are before the loop
 */
record RowVisitLoop(
    Counter counter,
    MethodInsnNode call,
    RowVisit visit,
    int offset,
    @Nullable Value numbers,
    EntryValues entry) {

  /** The loops of a method that make visits. */
  static List<RowVisitLoop> of(
      MethodNode method, FlowGraph graph, Values values, CheckedFields fields, RowVisits visits) {
    if (visits.isEmpty() || method.name.startsWith("<")) {
      return List.of();
    }
    List<RowVisitLoop> found = new ArrayList<>();
    List<Loop> loops = Loop.of(graph);
    for (Loop loop : loops) {
      boolean isInner = loops.stream().noneMatch(other -> other != loop && loop.contains(other));
      if (isInner) {
        EntryValues entry = new EntryValues(method, graph, values, fields, loop);
        RowVisitLoop made = new Search(graph, values, fields, visits, loop, entry).find();
        if (made != null) {
          found.add(made);
        }
      }
    }
    return found;
  }

  /** A search in one loop. */
  private record Search(
      FlowGraph graph,
      Values values,
      CheckedFields fields,
      RowVisits visits,
      Loop loop,
      EntryValues entry) {

    @Nullable RowVisitLoop find() {
      Counter counter = Counter.of(graph, values, loop).orElse(null);
      int call = call();
      if (counter == null || counter.step() != 1 || call < 0 || !counter.isInside(graph, call)) {
        return null;
      }
      MethodInsnNode instruction = (MethodInsnNode) graph.instruction(call);
      RowVisit visit = visits.of(instruction);
      if (visit == null || !loop.isInEveryIteration(graph, call) || !isOnThis(call, visit)) {
        return null;
      }
      Value number = argument(call, visit);
      boolean isLoaded = number.opcode() == Opcodes.IALOAD && loop.contains(number.node);
      Value place = isLoaded ? values.operand(number.node, 0) : number;
      Value numbers = isLoaded ? values.operand(number.node, 1) : null;
      Polynomial offset = Polynomial.of(place).minus(Polynomial.of(counter.variable()));
      if (!offset.isConstant()
          || entry.number(counter.bound()).isEmpty()
          || (numbers != null && entry.array(numbers).isEmpty())
          || !doesNothingElse(call, isLoaded ? number.node : -1, counter.bound())) {
        return null;
      }
      return new RowVisitLoop(counter, instruction, visit, offset.constant(), numbers, entry);
    }

    /** The only visit in the loop; else -1. */
    private int call() {
      int found = -1;
      for (int node : loop.nodes()) {
        if (graph.instruction(node) instanceof MethodInsnNode call && visits.of(call) != null) {
          if (found >= 0) {
            return -1;
          }
          found = node;
        }
      }
      return found;
    }

    private boolean isOnThis(int call, RowVisit visit) {
      if ((visit.method().access & Opcodes.ACC_STATIC) != 0) {
        return true;
      }
      return entry.isThis(values.operands(call).get(0)) && entry.holdsThis();
    }

    private Value argument(int call, RowVisit visit) {
      boolean isStatic = (visit.method().access & Opcodes.ACC_STATIC) != 0;
      int local = isStatic ? 0 : 1;
      int at = local;
      for (Type type : Type.getArgumentTypes(visit.method().desc)) {
        if (local == visit.parameter()) {
          break;
        }
        local += type.getSize();
        at++;
      }
      return values.operands(call).get(at);
    }

    private boolean doesNothingElse(int call, int load, Value bound) {
      for (int node : loop.nodes()) {
        for (int handler : graph.handlers(node)) {
          if (loop.contains(handler)) {
            return false;
          }
        }
        if (node != call && node != load && !isHarmless(node, bound)) {
          return false;
        }
      }
      return true;
    }

    private boolean isHarmless(int node, Value bound) {
      AbstractInsnNode instruction = graph.instruction(node);
      int opcode = instruction.getOpcode();
      return switch (opcode) {
        case Opcodes.IDIV, Opcodes.IREM -> RowVisitSearch.isDivisor(values.operand(node, 0));
        case Opcodes.LDC -> ((LdcInsnNode) instruction).cst instanceof Number;
        case Opcodes.GETFIELD ->
            entry.isThis(values.operand(node, 0))
                && fields.isOwnConstant((FieldInsnNode) instruction);
        case Opcodes.GETSTATIC -> fields.isOwnConstant((FieldInsnNode) instruction);
        case Opcodes.ARRAYLENGTH -> bound.kind == Value.Kind.RESULT && bound.node == node;
        case Opcodes.INVOKESTATIC -> RowVisitSearch.isFunction((MethodInsnNode) instruction);
        default -> !FlowGraph.mayThrow(opcode);
      };
    }
  }
}
