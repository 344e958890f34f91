package org.reprise.anomaly.agent.instrument.loop;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.NestMates;
import org.reprise.anomaly.agent.instrument.program.Summaries;

/**
 * Arrays that are written by a constructor only: those which it creates for a private final field,
 * which no method of the class hands on, and whose elements none but the constructor stores. The
 * constructor keeps the new object to itself, so its writes are over before anybody reads. The same
 * of rows, for arrays of arrays; and of static fields with the class's initialisation.
 */
public final class ConstantArrays {
  /** What is known of a value: it is the array of a field, or a row of it. */
  private record ArrayPart(String field, boolean isRow) {}

  private final String owner;

  /** Fields whose arrays are constant; and those whose rows are, too. */
  private final Set<String> arrays = new HashSet<>();

  private final Set<String> rows = new HashSet<>();

  /** Whether the program's code may run while the class is initialised, besides that of its own. */
  private boolean callsWhileInitialised;

  private ConstantArrays(String owner) {
    this.owner = owner;
  }

  public static ConstantArrays of(
      ClassNode owner, Summaries summaries, Hierarchy hierarchy, @Nullable ClassLoader loader) {
    ConstantArrays found = new ConstantArrays(owner.name);
    for (FieldNode field : owner.fields) {
      int wanted = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
      if (field.desc.startsWith("[") && (field.access & wanted) == wanted) {
        found.arrays.add(field.name);
        if (field.desc.startsWith("[[")) {
          found.rows.add(field.name);
        }
      }
    }
    if (!found.arrays.isEmpty()) {
      found.forgetFieldsOfOthers(NestMates.fieldsOfOthers(owner, hierarchy, loader));
    }
    for (MethodNode method : owner.methods) {
      if (!found.arrays.isEmpty()) {
        found.look(method, summaries, loader);
      }
      found.callsWhileInitialised |= method.name.equals("<clinit>") && found.calls(method);
    }
    return found;
  }

  /** Private fields that another class may see, too: what it does with them is not looked into. */
  private void forgetFieldsOfOthers(Optional<Set<String>> accessed) {
    arrays.removeIf(field -> accessed.isEmpty() || accessed.get().contains(field));
    rows.retainAll(arrays);
  }

  private boolean calls(MethodNode method) {
    for (AbstractInsnNode instruction : method.instructions) {
      boolean mayCall =
          instruction instanceof InvokeDynamicInsnNode
              || (instruction instanceof MethodInsnNode call && !call.owner.startsWith("java/"))
              || (instruction instanceof FieldInsnNode field
                  && !field.owner.equals(owner)
                  && !field.owner.startsWith("java/"));
      if (mayCall) {
        return true;
      }
    }
    return false;
  }

  /** Whether the elements of the array are never written when others may see them. */
  public boolean contains(Values values, Value array) {
    ArrayPart part = part(values, array);
    return part != null && (part.isRow ? rows : arrays).contains(part.field);
  }

  /**
   * Whether they are, and nobody can have seen them before: what is once known of them stays true.
   * While a class initialises its arrays it may call methods that look at them.
   */
  public boolean isLasting(Values values, Value array) {
    return contains(values, array) && (!isOfClass(values, array) || !callsWhileInitialised);
  }

  private static boolean isOfClass(Values values, Value array) {
    return array.opcode() == Opcodes.AALOAD
        ? isOfClass(values, values.operand(array.node, 1))
        : array.opcode() == Opcodes.GETSTATIC;
  }

  private @Nullable ArrayPart part(Values values, Value value) {
    if (value.instruction instanceof FieldInsnNode field
        && (value.opcode() == Opcodes.GETFIELD || value.opcode() == Opcodes.GETSTATIC)) {
      return field.owner.equals(owner) ? new ArrayPart(field.name, false) : null;
    }
    if (value.opcode() == Opcodes.AALOAD) {
      ArrayPart whole = part(values, values.operand(value.node, 1));
      return whole == null || whole.isRow ? null : new ArrayPart(whole.field, true);
    }
    return null;
  }

  private void look(MethodNode method, Summaries summaries, @Nullable ClassLoader loader) {
    if (method.instructions.size() == 0) {
      return;
    }
    boolean constructs = method.name.equals("<init>");
    if (constructs
        && !summaries.keepsThisToItself(
            loader,
            new MethodInsnNode(Opcodes.INVOKESPECIAL, owner, "<init>", method.desc, false))) {
      arrays.clear();
      rows.clear();
      return;
    }
    try {
      FlowGraph graph = new FlowGraph(method);
      if (graph.previous(0).length > 0) {
        // A loop at the very start: not worth the trouble, but its uses must not be overlooked.
        arrays.clear();
        rows.clear();
        return;
      }
      new Uses(graph, new Values(method, graph), constructs, method.name.equals("<clinit>")).look();
    } catch (AnalyzerException e) {
      arrays.clear();
      rows.clear();
    }
  }

  /** What one method does with the arrays. */
  private final class Uses {
    private final FlowGraph graph;
    private final Values values;
    private final boolean constructs;

    /** Whether it is the class that is constructed. Constructors may write its arrays any time. */
    private final boolean isOfClass;

    /** Arrays that the constructor creates and puts into a field, or into the array of one. */
    private final Map<Value, ArrayPart> created = new HashMap<>();

    Uses(FlowGraph graph, Values values, boolean constructsObject, boolean constructsClass) {
      this.graph = graph;
      this.values = values;
      this.constructs = constructsObject || constructsClass;
      this.isOfClass = constructsClass;
    }

    void look() {
      for (int node : graph.order()) {
        findCreated(node);
      }
      for (int node : graph.order()) {
        findRows(node);
      }
      for (int node : graph.order()) {
        List<Value> operands = values.operands(node);
        for (int i = 0; i < operands.size(); i++) {
          ArrayPart part = known(operands.get(i));
          if (part != null && !isAllowed(node, operands, i, part)) {
            forget(part);
          }
        }
      }
      for (Value merge : values.usedMerges()) {
        for (Value input : values.inputs(merge)) {
          ArrayPart part = known(input);
          if (part != null) {
            forget(part);
          }
        }
      }
    }

    private @Nullable ArrayPart known(Value value) {
      ArrayPart part = created.get(value);
      return part != null ? part : part(values, value);
    }

    private void findCreated(int node) {
      AbstractInsnNode instruction = graph.instruction(node);
      if (instruction instanceof FieldInsnNode field
          && field.owner.equals(owner)
          && (field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC)
          && arrays.contains(field.name)) {
        create(values.operand(node, 0), new ArrayPart(field.name, false));
      }
    }

    private void findRows(int node) {
      if (graph.instruction(node).getOpcode() == Opcodes.AASTORE) {
        ArrayPart whole = known(values.operand(node, 2));
        if (whole != null && !whole.isRow) {
          create(values.operand(node, 0), new ArrayPart(whole.field, true));
        }
      }
    }

    private void create(Value array, ArrayPart part) {
      boolean isNew =
          array.opcode() == Opcodes.NEWARRAY
              || array.opcode() == Opcodes.ANEWARRAY
              || array.opcode() == Opcodes.MULTIANEWARRAY;
      ArrayPart other = isNew && constructs ? created.putIfAbsent(array, part) : null;
      if (!isNew || !constructs || other != null) {
        forget(part);
      }
      if (other != null) {
        forget(other);
      }
    }

    private boolean isAllowed(int node, List<Value> operands, int place, ArrayPart part) {
      int opcode = graph.instruction(node).getOpcode();
      Value value = operands.get(place);
      if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) {
        return place == 0;
      }
      if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
        if (place == 0) {
          return constructs && isOwn(value);
        }
        // A new row goes to its own place; an array of a field goes nowhere else.
        return created.containsKey(value) && part.isRow && part.equals(rowOf(operands.get(0)));
      }
      return switch (opcode) {
        case Opcodes.ARRAYLENGTH,
            Opcodes.IFNULL,
            Opcodes.IFNONNULL,
            Opcodes.IF_ACMPEQ,
            Opcodes.IF_ACMPNE,
            Opcodes.CHECKCAST ->
            true;
        case Opcodes.PUTFIELD, Opcodes.PUTSTATIC ->
            created.containsKey(value)
                && !part.isRow
                && ((FieldInsnNode) graph.instruction(node)).name.equals(part.field);
        default -> false;
      };
    }

    private @Nullable ArrayPart rowOf(Value array) {
      ArrayPart whole = known(array);
      return whole == null || whole.isRow ? null : new ArrayPart(whole.field, true);
    }

    /** Whether it is an array of the object, or the class, that is being constructed. */
    private boolean isOwn(Value array) {
      if (created.containsKey(array)) {
        return true;
      }
      if (array.opcode() == Opcodes.GETSTATIC) {
        return isOfClass;
      }
      if (array.opcode() == Opcodes.AALOAD) {
        return isOwn(values.operand(array.node, 1));
      }
      Value object = values.operand(array.node, 0);
      return object.kind == Value.Kind.ENTRY && object.number == 0;
    }

    private void forget(ArrayPart part) {
      rows.remove(part.field);
      if (!part.isRow) {
        arrays.remove(part.field);
      }
    }
  }
}
