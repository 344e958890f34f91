package org.reprise.anomaly.agent.instrument.loop;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_CONTEXT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_INDICES;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_RECTANGLE;
import static org.reprise.anomaly.agent.instrument.code.HookNames.hook;

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
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.code.EdgeCode;
import org.reprise.anomaly.agent.instrument.code.HookNames;
import org.reprise.anomaly.agent.instrument.code.Temporaries;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;

/**
 * The code of a {@link NestPlan}: what is kept on the ways into its loops, what is reported on the
 * ways out, by exceptions, too. Inner loops hand their ranges to rectangles, which the nest reports
 * when it is left itself.
 */
public final class NestCode {
  private final NestPlan plan;
  private final FlowGraph graph;
  private final MethodNode method;
  private final int context;
  private final RangeCode ranges;

  /** What collects the ranges of an access in an inner loop, by the access that created it. */
  private final Map<LoopAccess, Integer> rectangles = new LinkedHashMap<>();

  /** Accesses that are gathered in one of these. */
  private final Map<AccessInstruction, Integer> shared = new HashMap<>();

  private final Coalescing coalescing;

  /** Null where accesses keep what they accessed. */
  private final @Nullable Derivation derivation;

  public NestCode(
      NestPlan plan, FlowGraph graph, MethodNode method, int context, Temporaries temporaries) {
    this.plan = plan;
    this.graph = graph;
    this.method = method;
    this.context = context;
    this.ranges = new RangeCode(plan, context);
    this.coalescing = new Coalescing(plan, graph);
    boolean hasThis = (method.access & Opcodes.ACC_STATIC) == 0;
    this.derivation = Derivation.of(plan, graph, temporaries, context, hasThis).orElse(null);
    for (LoopAccess access : plan.atExits) {
      if (access.access.isElement()
          && access.loop != plan.outer
          && coalescing.leader(access) == access) {
        rectangles.put(access, temporaries.newReference(HookNames.RECTANGLE));
      }
    }
    plan.continued.forEach(
        (access, before) -> shared.put(access, rectangles.get(coalescing.leader(before))));
  }

  /** What stands before an access whose loop tells what it touched; empty where it does not. */
  public Optional<InsnList> mark(AccessInstruction access) {
    return derivation == null ? Optional.empty() : derivation.mark(access);
  }

  /** Accesses in branches that are one range with others. */
  public Set<AccessInstruction> branches() {
    return derivation == null ? Set.of() : derivation.branches();
  }

  /** What takes an access that continues a range of an inner loop; empty for all others. */
  public Optional<InsnList> continuation(AccessInstruction access) {
    return Optional.ofNullable(shared.get(access)).map(NestCode::point);
  }

  public void insert(EdgeCode edges) {
    keepVariables(edges);
    for (int from : plan.outer.nodes()) {
      for (int to : graph.next(from)) {
        List<Loop> left = new ArrayList<>();
        for (Loop loop : plan.loops) {
          if (loop.contains(from) && !loop.contains(to)) {
            left.add(loop);
          }
        }
        if (!left.isEmpty()) {
          edges.leave(from, to, exit(left, from));
        }
      }
    }
  }

  private void keepVariables(EdgeCode edges) {
    if (derivation != null) {
      derivation
          .copies()
          .forEach(
              (from, to) ->
                  onEntry(edges, plan.outer, copy(Opcodes.ALOAD, from, Opcodes.ASTORE, to)));
      onEntry(edges, plan.outer, derivation.forget());
    }
    plan.forEachVariable(
        (loop, variable, start, current) -> {
          onEntry(edges, loop, copy(variable.number, start));
          AbstractInsnNode first = graph.instruction(loop.header());
          while (first.getOpcode() < 0) {
            first = first.getNext();
          }
          method.instructions.insertBefore(first, copy(variable.number, current));
        });
    plan.keptBefore.forEach(
        (loop, all) ->
            all.forEach(kept -> onEntry(edges, loop, copy(kept.from(), kept.temporary()))));
    for (NestPlan.Kept kept : plan.keptInside) {
      InsnList code = new InsnList();
      code.add(new InsnNode(Opcodes.DUP));
      code.add(new VarInsnNode(Opcodes.ISTORE, kept.temporary()));
      method.instructions.insert(graph.instruction(kept.from()), code);
    }
    plan.indexLoads.forEach(
        (node, load) ->
            method.instructions.insertBefore(graph.instruction(node), RangeCode.keep(load)));
    rectangles.forEach(
        (access, place) ->
            onEntry(edges, plan.outer, collector("rectangle", L_RECTANGLE, access, place)));
    Set<Integer> made = new HashSet<>();
    plan.points.forEach(
        (access, place) -> {
          if (made.add(place)) {
            onEntry(
                edges,
                plan.outer,
                collector("rectangle", L_RECTANGLE, access.isWrite(), plan.site(access), place));
          }
        });
    plan.once.values().forEach(once -> onEntry(edges, once.around(), set(once.done(), 0)));
    plan.scattered.forEach(
        (access, place) ->
            onEntry(
                edges,
                plan.outer,
                collector("indices", L_INDICES, access.isWrite(), plan.site(access), place)));
  }

  private static InsnList set(int place, int value) {
    InsnList code = new InsnList();
    code.add(RangeCode.push(value));
    code.add(new VarInsnNode(Opcodes.ISTORE, place));
    return code;
  }

  private static InsnList copy(int from, int to) {
    return copy(Opcodes.ILOAD, from, Opcodes.ISTORE, to);
  }

  private static InsnList copy(int load, int from, int store, int to) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(load, from));
    code.add(new VarInsnNode(store, to));
    return code;
  }

  private InsnList collector(String name, String type, LoopAccess access, int place) {
    return collector(name, type, access.access.isWrite(), access.site, place);
  }

  private InsnList collector(String name, String type, boolean isWrite, int site, int place) {
    InsnList code = new InsnList();
    code.add(new InsnNode(isWrite ? Opcodes.ICONST_1 : Opcodes.ICONST_0));
    code.add(RangeCode.push(site));
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook(name, "(ZI" + L_CONTEXT + ")" + type));
    code.add(new VarInsnNode(Opcodes.ASTORE, place));
    return code;
  }

  private void onEntry(EdgeCode edges, Loop loop, InsnList code) {
    for (int from : graph.previous(loop.header())) {
      if (!loop.contains(from)) {
        edges.enter(from, loop.header(), copyOf(code));
      }
    }
  }

  private static InsnList copyOf(InsnList code) {
    InsnList copy = new InsnList();
    for (AbstractInsnNode node : code) {
      copy.add(node.clone(Map.of()));
    }
    return copy;
  }

  /** What is reported where control leaves some loops normally, from a node of the innermost. */
  private InsnList exit(List<Loop> left, int from) {
    InsnList code = new InsnList();
    for (Loop loop : left) {
      for (List<LoopAccess> together : coalescing.atExit(loop, from)) {
        if (derivation != null) {
          derivation.reportAt(code, together, from);
        } else {
          LoopAccess first = together.get(0);
          Integer rectangle = rectangles.get(coalescing.leader(first));
          ranges.report(code, together, rectangle);
        }
      }
    }
    for (LoopAccess access : plan.atExits) {
      if (derivation == null && left.contains(access.loop)) {
        ranges.forget(code, access);
      }
    }
    for (LoopAccess access : plan.through) {
      LoopAccess whole = plan.wholes.get(access);
      if (left.contains(access.loop)) {
        if (whole == null) {
          ranges.reportThrough(code, access);
        } else {
          ranges.move(code, access, whole);
        }
      }
      if (whole != null && left.contains(whole.loop)) {
        ranges.reportThrough(code, whole);
      }
    }
    for (RepeatedTraversal once : plan.once.values()) {
      if (left.contains(once.inner())) {
        code.add(set(once.done(), 1));
      }
    }
    if (left.contains(plan.outer)) {
      if (derivation != null) {
        derivation.reportBranchesAt(code, from);
      }
      reportCollected(code);
    }
    return code;
  }

  private void reportCollected(InsnList code) {
    for (int place : rectangles.values()) {
      flush(code, L_RECTANGLE, place);
    }
    for (int place : new LinkedHashSet<>(plan.points.values())) {
      flush(code, L_RECTANGLE, place);
    }
    for (int place : plan.scattered.values()) {
      flush(code, L_INDICES, place);
    }
  }

  private static void flush(InsnList code, String type, int place) {
    code.add(new VarInsnNode(Opcodes.ALOAD, place));
    code.add(hook("report", "(" + type + ")V"));
    code.add(new InsnNode(Opcodes.ACONST_NULL));
    code.add(new VarInsnNode(Opcodes.ASTORE, place));
  }

  /** What is reported where an exception leaves the nest: nobody knows from where. */
  private InsnList exceptionalExit() {
    InsnList code = new InsnList();
    if (derivation != null) {
      derivation.reportAfterException(code);
    } else {
      for (LoopAccess access : plan.atExits) {
        ranges.report(code, List.of(access), null);
      }
      for (LoopAccess access : plan.atExits) {
        ranges.forget(code, access);
      }
    }
    plan.through.forEach(access -> ranges.reportThrough(code, access));
    plan.wholes.values().forEach(access -> ranges.reportThrough(code, access));
    reportCollected(code);
    return code;
  }

  /** After all else is inserted, so that reports on the ways out are not guarded. */
  public void catchExceptions() {
    Map<LabelNode, Map<String, LabelNode>> before = new LinkedHashMap<>();
    List<TryCatchBlockNode> blocks = new ArrayList<>();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      int handler = node(block.handler);
      if (handler >= 0 && !plan.outer.contains(handler)) {
        List<Run> runs = runs(node(block.start), node(block.end));
        if (!runs.isEmpty()) {
          LabelNode detour =
              before
                  .computeIfAbsent(block.handler, any -> new LinkedHashMap<>())
                  .computeIfAbsent(String.valueOf(block.type), any -> detour(block.handler));
          guard(runs, detour, block.type, blocks);
        }
      }
      blocks.add(block);
    }
    List<Run> all = runs(0, graph.size());
    if (!all.isEmpty()) {
      LabelNode last = new LabelNode();
      method.instructions.add(last);
      method.instructions.add(
          new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
      method.instructions.add(exceptionalExit());
      method.instructions.add(new InsnNode(Opcodes.ATHROW));
      guard(all, last, null, blocks);
    }
    method.tryCatchBlocks.clear();
    method.tryCatchBlocks.addAll(blocks);
  }

  private int node(LabelNode label) {
    for (int node = 0; node < graph.size(); node++) {
      if (graph.instruction(node) == label) {
        return node;
      }
    }
    return -1;
  }

  private LabelNode detour(LabelNode handler) {
    LabelNode detour = new LabelNode();
    Optional<FrameNode> frame = EdgeCode.frameAt(handler);
    method.instructions.add(detour);
    frame.ifPresent(method.instructions::add);
    method.instructions.add(exceptionalExit());
    method.instructions.add(new JumpInsnNode(Opcodes.GOTO, handler));
    return detour;
  }

  /** Leads exceptions of some runs to a handler, which learns how far their iteration came. */
  private void guard(
      List<Run> runs, LabelNode handler, @Nullable String type, List<TryCatchBlockNode> blocks) {
    Map<Integer, LabelNode> ways = new LinkedHashMap<>();
    for (Run run : runs) {
      LabelNode way = handler;
      if (derivation != null) {
        int reached = derivation.reachedAt(run.throwing);
        way = ways.computeIfAbsent(reached, any -> way(reached, handler));
      }
      blocks.add(guard(run, way, type));
    }
  }

  private LabelNode way(int reached, LabelNode handler) {
    LabelNode way = new LabelNode();
    Optional<FrameNode> frame = EdgeCode.frameAt(handler);
    method.instructions.add(way);
    frame.ifPresent(method.instructions::add);
    if (derivation != null) {
      method.instructions.add(derivation.reached(reached));
    }
    method.instructions.add(new JumpInsnNode(Opcodes.GOTO, handler));
    return way;
  }

  /**
   * A stretch of code whose exceptions a handler gets.
   *
   * @param throwing the first instruction in it that may throw
   */
  private record Run(int first, int last, int throwing) {
    Run upTo(int node) {
      return new Run(first, node, throwing);
    }
  }

  /**
   * The parts of a stretch of code that lie in the nest and may throw. They begin and end where
   * basic blocks do, as far as they can: a loop whose first block is cut in two before its
   * condition is none that counts in the eyes of the virtual machine's compiler, which doubled the
   * time of {@code sor}.
   */
  private List<Run> runs(int start, int end) {
    List<Run> runs = new ArrayList<>();
    int first = Math.max(start, 0);
    boolean isOpen = false;
    boolean isInBlock = false;
    for (int node = first; node < end; node++) {
      if (!plan.outer.contains(node)) {
        isOpen = false;
        isInBlock = false;
        first = node + 1;
      } else if (FlowGraph.mayThrow(graph.instruction(node).getOpcode())) {
        if (!isOpen || !isReachedAlike(runs.get(runs.size() - 1).throwing, node)) {
          runs.add(new Run(first, node, node));
        }
        isOpen = true;
        isInBlock = true;
      }
      if (isInBlock) {
        runs.set(runs.size() - 1, runs.get(runs.size() - 1).upTo(node));
        first = node + 1;
        isInBlock = FlowGraph.targets(graph.instruction(node)).isEmpty();
      }
    }
    return runs;
  }

  private boolean isReachedAlike(int one, int other) {
    return derivation == null || derivation.reachedAt(one) == derivation.reachedAt(other);
  }

  private TryCatchBlockNode guard(Run run, LabelNode handler, @Nullable String type) {
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    method.instructions.insertBefore(graph.instruction(run.first), start);
    method.instructions.insert(graph.instruction(run.last), end);
    return new TryCatchBlockNode(start, end, handler, type);
  }

  /** Checks of the nest that stand in the loop itself consume the array and the index there. */
  public static InsnList point(int place) {
    return collected(place, L_RECTANGLE);
  }

  public static InsnList scattered(int place, @Nullable RepeatedTraversal once) {
    return once == null ? collected(place, L_INDICES) : collectedOnce(place, once);
  }

  private static InsnList collectedOnce(int place, RepeatedTraversal once) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ILOAD, once.done()));
    code.add(new VarInsnNode(Opcodes.ALOAD, place));
    code.add(hook("addUnless", "(" + L_OBJECT + "II" + L_INDICES + ")V"));
    return code;
  }

  private static InsnList collected(int place, String type) {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ALOAD, place));
    MethodInsnNode add = hook("add", "(" + L_OBJECT + "I" + type + ")V");
    code.add(add);
    return code;
  }
}
