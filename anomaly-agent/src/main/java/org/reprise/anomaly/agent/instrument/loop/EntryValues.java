package org.reprise.anomaly.agent.instrument.loop;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.ranges;

import java.util.Optional;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;

/**
 * Values of a loop that can be had on the ways into it: from constants, from local variables that
 * the loop does not change, and from final fields. To load them throws nothing.
 */
public final class EntryValues {
  private final MethodNode method;
  private final FlowGraph graph;
  private final Values values;
  private final CheckedFields fields;
  private final Loop loop;

  public EntryValues(
      MethodNode method, FlowGraph graph, Values values, CheckedFields fields, Loop loop) {
    this.method = method;
    this.graph = graph;
    this.values = values;
    this.fields = fields;
    this.loop = loop;
  }

  /** Loads an int; empty if it cannot be had. */
  public Optional<InsnList> number(Value value) {
    InsnList code = new InsnList();
    return loadInt(value, code) ? Optional.of(code) : Optional.empty();
  }

  /** Loads an array; empty if it cannot be had. */
  public Optional<InsnList> array(Value value) {
    InsnList code = new InsnList();
    return loadArray(value, code) ? Optional.of(code) : Optional.empty();
  }

  private boolean loadInt(Value value, InsnList code) {
    if (value.kind == Value.Kind.CONSTANT) {
      code.add(RangeCode.push(value.number));
      return true;
    }
    if (loadLocal(value, Opcodes.ILOAD, code) || loadField(value, code)) {
      return true;
    }
    if (value.opcode() == Opcodes.ARRAYLENGTH && loadArray(values.operand(value.node, 0), code)) {
      code.add(ranges("length", "(" + L_OBJECT + ")I"));
      return true;
    }
    if (value.left != null
        && value.right != null
        && loadInt(value.left, code)
        && loadInt(value.right, code)) {
      code.add(new InsnNode(value.number));
      return true;
    }
    return false;
  }

  private boolean loadArray(Value value, InsnList code) {
    return loadLocal(value, Opcodes.ALOAD, code) || loadField(value, code);
  }

  /** From a local variable that is used in the loop: others may be of no type there. */
  private boolean loadLocal(Value value, int opcode, InsnList code) {
    boolean changes = value.kind == Value.Kind.MERGE && value.node == loop.header();
    if (changes || value.kind == Value.Kind.UNSET) {
      return false;
    }
    Frame<Value> frame = values.frame(loop.header());
    for (int node : loop.nodes()) {
      if (graph.instruction(node) instanceof VarInsnNode use
          && use.getOpcode() == opcode
          && frame.getLocal(use.var) == value) {
        code.add(new VarInsnNode(opcode, use.var));
        return true;
      }
    }
    return false;
  }

  private boolean loadField(Value value, InsnList code) {
    if (value.kind != Value.Kind.RESULT
        || !(value.instruction instanceof FieldInsnNode field)
        || !fields.isOwnConstant(field)) {
      return false;
    }
    if (value.opcode() == Opcodes.GETFIELD
        && (!isThis(values.operand(value.node, 0)) || !holdsThis())) {
      return false;
    }
    load(field, code);
    return true;
  }

  /** Loads a field of this object or of its class. */
  public static void load(FieldInsnNode field, InsnList code) {
    if (field.getOpcode() == Opcodes.GETFIELD) {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    }
    code.add(new FieldInsnNode(field.getOpcode(), field.owner, field.name, field.desc));
  }

  public boolean isThis(Value object) {
    return object.kind == Value.Kind.ENTRY
        && object.number == 0
        && (method.access & Opcodes.ACC_STATIC) == 0;
  }

  /** Whether the first local variable is still this object when the loop is entered. */
  public boolean holdsThis() {
    return isThis(values.frame(loop.header()).getLocal(0));
  }
}
