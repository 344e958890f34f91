package org.reprise.anomaly.agent.instrument.loop;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_CONTEXT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.hook;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.code.EdgeCode;
import org.reprise.anomaly.agent.instrument.code.Temporaries;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;

/**
 * Questions that stand before loops which read fields of the objects of an array, {@code
 * bodies[j].x}: whether so many iterations have read them, of all these objects, that the loop adds
 * nothing. Then none of its reads is checked, and the compiler makes a loop of its own for that
 * case, as it would without checks. The array always holds the same objects, so that neither which
 * of them the loop comes to matters nor where it ends.
 */
public final class Inspections {
  private final MethodNode method;
  private final FlowGraph graph;
  private final Values values;
  private final CheckedFields fields;
  private final ConstantArrays constants;
  private final Temporaries temporaries;
  private final Map<AccessInstruction, Inspection> inspections = new LinkedHashMap<>();

  /** What is asked before one loop for one check. */
  public static final class Inspection {
    private final Loop loop;
    private final Value array;
    private final EntryValues entry;

    /** The local variable with the answer. */
    public final int answer;

    /** The fields, when they have a number. */
    private @Nullable Integer group;

    private Inspection(Loop loop, Value array, EntryValues entry, int answer) {
      this.loop = loop;
      this.array = array;
      this.entry = entry;
      this.answer = answer;
    }

    public void number(int newGroup) {
      group = newGroup;
    }
  }

  public Inspections(
      MethodNode method,
      FlowGraph graph,
      Values values,
      CheckedFields fields,
      ConstantArrays constants,
      Temporaries temporaries) {
    this.method = method;
    this.graph = graph;
    this.values = values;
    this.fields = fields;
    this.constants = constants;
    this.temporaries = temporaries;
  }

  /** Whether the loop, on whose ways in code can be put, asks before it reads these fields. */
  public boolean add(AccessInstruction read, Loop loop) {
    Value object = read.target();
    // A constructor has not yet put all objects into its array.
    if (object == null || object.opcode() != Opcodes.AALOAD || method.name.startsWith("<")) {
      return false;
    }
    Value array = values.operand(object.node, 1);
    EntryValues entry = new EntryValues(method, graph, values, fields, loop);
    if (!constants.isLasting(values, array) || entry.array(array).isEmpty()) {
      return false;
    }
    inspections.put(read, new Inspection(loop, array, entry, temporaries.newInt()));
    return true;
  }

  /** What is asked before the loop of a read; empty where nothing is. */
  public Optional<Inspection> of(AccessInstruction read) {
    return Optional.ofNullable(inspections.get(read));
  }

  public void insert(EdgeCode edges, int context) {
    for (Inspection inspection : inspections.values()) {
      int header = inspection.loop.header();
      for (int from : graph.previous(header)) {
        if (inspection.group != null && !inspection.loop.contains(from)) {
          edges.enter(from, header, question(inspection, inspection.group, context));
        }
      }
    }
  }

  private static InsnList question(Inspection inspection, int group, int context) {
    InsnList code = new InsnList();
    inspection.entry.array(inspection.array).ifPresent(code::add);
    code.add(new LdcInsnNode(group));
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook("areRead", "(" + L_OBJECT + "I" + L_CONTEXT + ")I"));
    code.add(new VarInsnNode(Opcodes.ISTORE, inspection.answer));
    return code;
  }
}
