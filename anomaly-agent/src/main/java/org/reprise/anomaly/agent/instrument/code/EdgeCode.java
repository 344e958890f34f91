package org.reprise.anomaly.agent.instrument.code;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;

/**
 * Code on the way from one instruction to another and on no other way: behind the first where
 * control falls through, else at the end of the method, where the jump is led over it. Jumps to one
 * place with the same code share it: some loops that merge two pieces are compiled to slower code
 * where each way out has reports of its own.
 */
public final class EdgeCode {
  private record Edge(int from, int to) {}

  private record Detour(LabelNode target, String code) {}

  private final FlowGraph graph;
  private final Map<Edge, InsnList> leaving = new LinkedHashMap<>();
  private final Map<Edge, InsnList> entering = new LinkedHashMap<>();
  private final Map<Detour, LabelNode> detours = new HashMap<>();

  public EdgeCode(FlowGraph graph) {
    this.graph = graph;
  }

  /** What is left on the way comes before what is entered. */
  public void leave(int from, int to, InsnList code) {
    leaving.computeIfAbsent(new Edge(from, to), any -> new InsnList()).add(code);
  }

  public void enter(int from, int to, InsnList code) {
    entering.computeIfAbsent(new Edge(from, to), any -> new InsnList()).add(code);
  }

  public void insert(MethodNode method) {
    entering.forEach(
        (edge, code) -> leaving.computeIfAbsent(edge, any -> new InsnList()).add(code));
    leaving.forEach((edge, code) -> insert(method, edge, code));
  }

  private void insert(MethodNode method, Edge edge, InsnList code) {
    AbstractInsnNode from = graph.instruction(edge.from);
    AbstractInsnNode to = graph.instruction(edge.to);
    List<LabelNode> targets = FlowGraph.targets(from);
    boolean jumps = to instanceof LabelNode label && targets.contains(label);
    boolean falls = edge.to == edge.from + 1 && fallsThrough(from.getOpcode());
    if (falls && jumps) {
      // Both ways lead to the same place.
      ((JumpInsnNode) from).label = new LabelNode();
      LabelNode here = ((JumpInsnNode) from).label;
      InsnList labelled = new InsnList();
      labelled.add(here);
      frameAt(to).ifPresent(labelled::add);
      labelled.add(code);
      method.instructions.insert(from, labelled);
    } else if (falls) {
      method.instructions.insert(from, code);
    } else {
      LabelNode target = (LabelNode) to;
      Detour key = new Detour(target, text(code));
      LabelNode there = detours.get(key);
      if (there != null) {
        lead(from, target, there);
        return;
      }
      LabelNode detour = new LabelNode();
      detours.put(key, detour);
      lead(from, target, detour);
      method.instructions.add(detour);
      frameAt(to).ifPresent(method.instructions::add);
      method.instructions.add(code);
      method.instructions.add(new JumpInsnNode(Opcodes.GOTO, target));
    }
  }

  /** The same for code that does the same; there are no jumps in it. */
  private static String text(InsnList code) {
    StringBuilder text = new StringBuilder();
    for (AbstractInsnNode instruction : code) {
      text.append(instruction.getOpcode()).append(' ');
      if (instruction instanceof VarInsnNode variable) {
        text.append(variable.var);
      } else if (instruction instanceof IntInsnNode number) {
        text.append(number.operand);
      } else if (instruction instanceof LdcInsnNode constant) {
        text.append(constant.cst);
      } else if (instruction instanceof TypeInsnNode type) {
        text.append(type.desc);
      } else if (instruction instanceof FieldInsnNode field) {
        text.append(field.owner).append('.').append(field.name);
      } else if (instruction instanceof MethodInsnNode call) {
        text.append(call.name).append(call.desc);
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static boolean fallsThrough(int opcode) {
    return opcode != Opcodes.GOTO
        && opcode != Opcodes.ATHROW
        && opcode != Opcodes.TABLESWITCH
        && opcode != Opcodes.LOOKUPSWITCH
        && (opcode < Opcodes.IRETURN || opcode > Opcodes.RETURN);
  }

  private static void lead(AbstractInsnNode from, LabelNode target, LabelNode detour) {
    if (from instanceof JumpInsnNode jump) {
      jump.label = detour;
    } else if (from instanceof TableSwitchInsnNode table) {
      table.labels.replaceAll(label -> label == target ? detour : label);
      table.dflt = table.dflt == target ? detour : table.dflt;
    } else if (from instanceof LookupSwitchInsnNode lookup) {
      lookup.labels.replaceAll(label -> label == target ? detour : label);
      lookup.dflt = lookup.dflt == target ? detour : lookup.dflt;
    }
  }

  /** A copy of the frame of a jump's target; class files before Java 6 have none. */
  public static Optional<FrameNode> frameAt(AbstractInsnNode target) {
    for (AbstractInsnNode node = target;
        node != null && node.getOpcode() < 0;
        node = node.getNext()) {
      if (node instanceof FrameNode frame) {
        return Optional.of(
            new FrameNode(
                Opcodes.F_NEW,
                frame.local.size(),
                frame.local.toArray(),
                frame.stack.size(),
                frame.stack.toArray()));
      }
    }
    return Optional.empty();
  }
}
