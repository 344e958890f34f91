package org.reprise.anomaly.agent.instrument.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * Which instruction of a method may follow which. A node is the position of an instruction, label
 * or line in the original list, so an exception leaves from the very instruction that throws it,
 * and dominance holds between instructions.
 */
public final class FlowGraph {
  private static final int[] NONE = {};

  private final AbstractInsnNode[] instructions;
  private final int[][] next;
  private final int[][] handlers;
  private final int[][] previous;

  /** Reachable nodes, each after one of those that lead to it. */
  private final int[] order;

  /** A node's place in {@link #order}; -1 for one that is never reached. */
  private final int[] rank;

  /** When the walk over the tree of dominators enters and leaves a node. */
  private final int[] entered;

  private final int[] left;

  public FlowGraph(MethodNode method) {
    instructions = method.instructions.toArray();
    next = new int[instructions.length][];
    handlers = new int[instructions.length][];
    for (int node = 0; node < instructions.length; node++) {
      next[node] = successors(method, node);
      handlers[node] = NONE;
    }
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      int handler = method.instructions.indexOf(block.handler);
      int end = method.instructions.indexOf(block.end);
      for (int node = method.instructions.indexOf(block.start); node < end; node++) {
        if (mayThrow(instructions[node].getOpcode()) && !contains(handlers[node], handler)) {
          handlers[node] = append(handlers[node], handler);
        }
      }
    }
    rank = new int[instructions.length];
    order = orderNodes();
    previous = predecessors();
    entered = new int[instructions.length];
    left = new int[instructions.length];
    walkDominators(immediateDominators());
  }

  public int size() {
    return instructions.length;
  }

  public AbstractInsnNode instruction(int node) {
    return instructions[node];
  }

  /** Where control goes from a node if nothing is thrown. */
  public int[] next(int node) {
    return next[node];
  }

  /** Where control may go if the node throws, other than out of the method. */
  public int[] handlers(int node) {
    return handlers[node];
  }

  /** From where control comes, by exceptions, too; reachable nodes only. */
  public int[] previous(int node) {
    return previous[node];
  }

  /** Whether control comes from one node to another without an exception. */
  public boolean isNormal(int from, int to) {
    return contains(next[from], to);
  }

  public int[] order() {
    return order;
  }

  public boolean isReachable(int node) {
    return rank[node] >= 0;
  }

  /** Whether every way from the start of the method to {@code node} passes {@code dominator}. */
  public boolean dominates(int dominator, int node) {
    return isReachable(dominator)
        && isReachable(node)
        && entered[dominator] <= entered[node]
        && left[node] <= left[dominator];
  }

  /** Whether an instruction may throw, other than by running out of memory or stack. */
  public static boolean mayThrow(int opcode) {
    return switch (opcode) {
      case Opcodes.IDIV,
          Opcodes.LDIV,
          Opcodes.IREM,
          Opcodes.LREM,
          Opcodes.LDC,
          Opcodes.ATHROW,
          Opcodes.ARRAYLENGTH,
          Opcodes.CHECKCAST,
          Opcodes.INSTANCEOF,
          Opcodes.MONITORENTER,
          Opcodes.MONITOREXIT,
          Opcodes.NEW,
          Opcodes.NEWARRAY,
          Opcodes.ANEWARRAY,
          Opcodes.MULTIANEWARRAY ->
          true;
      default ->
          (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD)
              || (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE)
              || (opcode >= Opcodes.GETSTATIC && opcode <= Opcodes.INVOKEDYNAMIC);
    };
  }

  private int[] successors(MethodNode method, int node) {
    AbstractInsnNode instruction = instructions[node];
    int opcode = instruction.getOpcode();
    List<LabelNode> targets = targets(instruction);
    boolean ends =
        opcode == Opcodes.GOTO
            || opcode == Opcodes.ATHROW
            || opcode == Opcodes.TABLESWITCH
            || opcode == Opcodes.LOOKUPSWITCH
            || (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN);
    int[] found = ends || node + 1 == instructions.length ? NONE : new int[] {node + 1};
    for (LabelNode target : targets) {
      int to = method.instructions.indexOf(target);
      if (!contains(found, to)) {
        found = append(found, to);
      }
    }
    return found;
  }

  /** Where an instruction may jump. */
  public static List<LabelNode> targets(AbstractInsnNode instruction) {
    List<LabelNode> targets = new ArrayList<>();
    if (instruction instanceof JumpInsnNode jump) {
      targets.add(jump.label);
    } else if (instruction instanceof TableSwitchInsnNode table) {
      targets.addAll(table.labels);
      targets.add(table.dflt);
    } else if (instruction instanceof LookupSwitchInsnNode lookup) {
      targets.addAll(lookup.labels);
      targets.add(lookup.dflt);
    }
    return targets;
  }

  private int[] orderNodes() {
    Arrays.fill(rank, -1);
    int[] reversed = new int[instructions.length];
    int count = 0;
    if (instructions.length > 0) {
      // A node is on the stack with the number of its successors already visited.
      Deque<int[]> path = new ArrayDeque<>();
      path.push(new int[] {0, 0});
      rank[0] = 0;
      while (!path.isEmpty()) {
        int[] top = path.peek();
        int node = top[0];
        int at = top[1]++;
        if (at < next[node].length + handlers[node].length) {
          int to =
              at < handlers[node].length
                  ? handlers[node][at]
                  : next[node][at - handlers[node].length];
          if (rank[to] < 0) {
            rank[to] = 0;
            path.push(new int[] {to, 0});
          }
        } else {
          path.pop();
          reversed[count++] = node;
        }
      }
    }
    int[] ordered = new int[count];
    for (int i = 0; i < count; i++) {
      ordered[i] = reversed[count - 1 - i];
      rank[ordered[i]] = i;
    }
    return ordered;
  }

  private int[][] predecessors() {
    int[] counts = new int[instructions.length];
    for (int node : order) {
      for (int to : next[node]) {
        counts[to]++;
      }
      for (int to : handlers[node]) {
        counts[to]++;
      }
    }
    int[][] found = new int[instructions.length][];
    for (int node = 0; node < found.length; node++) {
      found[node] = new int[counts[node]];
    }
    for (int node : order) {
      for (int to : next[node]) {
        found[to][--counts[to]] = node;
      }
      for (int to : handlers[node]) {
        found[to][--counts[to]] = node;
      }
    }
    return found;
  }

  /** Cooper, Harvey and Kennedy 2001: two fingers climb until they meet. */
  private int[] immediateDominators() {
    int[] above = new int[instructions.length];
    Arrays.fill(above, -1);
    if (order.length == 0) {
      return above;
    }
    above[order[0]] = order[0];
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = 1; i < order.length; i++) {
        int node = order[i];
        int meet = -1;
        for (int from : previous[node]) {
          if (above[from] >= 0) {
            meet = meet < 0 ? from : meeting(above, from, meet);
          }
        }
        if (above[node] != meet) {
          above[node] = meet;
          changed = true;
        }
      }
    }
    return above;
  }

  private int meeting(int[] above, int first, int second) {
    int a = first;
    int b = second;
    while (a != b) {
      while (rank[a] > rank[b]) {
        a = above[a];
      }
      while (rank[b] > rank[a]) {
        b = above[b];
      }
    }
    return a;
  }

  private void walkDominators(int[] above) {
    int[][] below = new int[instructions.length][];
    Arrays.fill(below, NONE);
    for (int i = 1; i < order.length; i++) {
      below[above[order[i]]] = append(below[above[order[i]]], order[i]);
    }
    int clock = 0;
    Deque<int[]> path = new ArrayDeque<>();
    if (order.length > 0) {
      path.push(new int[] {order[0], 0});
      entered[order[0]] = clock++;
    }
    while (!path.isEmpty()) {
      int[] top = path.peek();
      if (top[1] < below[top[0]].length) {
        int node = below[top[0]][top[1]++];
        entered[node] = clock++;
        path.push(new int[] {node, 0});
      } else {
        left[top[0]] = clock++;
        path.pop();
      }
    }
  }

  private static boolean contains(int[] array, int value) {
    for (int element : array) {
      if (element == value) {
        return true;
      }
    }
    return false;
  }

  private static int[] append(int[] array, int value) {
    int[] longer = Arrays.copyOf(array, array.length + 1);
    longer[array.length] = value;
    return longer;
  }
}
