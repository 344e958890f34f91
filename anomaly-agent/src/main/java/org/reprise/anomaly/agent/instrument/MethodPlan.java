package org.reprise.anomaly.agent.instrument;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.code.EdgeCode;
import org.reprise.anomaly.agent.instrument.code.Temporaries;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.flow.Values;
import org.reprise.anomaly.agent.instrument.loop.ConstantArrays;
import org.reprise.anomaly.agent.instrument.loop.Inspections;
import org.reprise.anomaly.agent.instrument.loop.LoopAccess;
import org.reprise.anomaly.agent.instrument.loop.NestCode;
import org.reprise.anomaly.agent.instrument.loop.NestPlan;
import org.reprise.anomaly.agent.instrument.loop.RangeCode;
import org.reprise.anomaly.agent.instrument.loop.Region;
import org.reprise.anomaly.agent.instrument.loop.Repeats;
import org.reprise.anomaly.agent.instrument.program.Boundaries;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;
import org.reprise.anomaly.agent.instrument.program.LocalObjects;
import org.reprise.anomaly.agent.instrument.program.ParallelWrites;
import org.reprise.anomaly.agent.instrument.program.Summaries;

/**
 * How the accesses of one method are checked: which not at all, which together with others when a
 * loop is left, and which one by one, as all are that nothing is said about.
 */
final class MethodPlan {
  /** Methods longer than this are checked access by access, so that loading them stays quick. */
  private static final int NODES_MAX = 20_000;

  private final Map<AbstractInsnNode, AccessInstruction> accesses = new HashMap<>();
  private final Map<AccessInstruction, String> dropped = new HashMap<>();
  private final Map<AccessInstruction, String> how = new HashMap<>();
  private final Map<AccessInstruction, LoopAccess> atExits = new HashMap<>();
  private final Map<AccessInstruction, List<AccessInstruction>> groups = new HashMap<>();
  private final Map<AccessInstruction, int[]> fieldNumbers = new HashMap<>();
  private final List<NestPlan> nests = new ArrayList<>();
  private final List<NestCode> code = new ArrayList<>();
  private final List<RowVisitCode> visitCode = new ArrayList<>();
  private final Temporaries temporaries;
  private @Nullable FlowGraph graph;
  private @Nullable Footprint footprint;
  private @Nullable Inspections inspections;

  /** Every access is checked one by one. */
  private MethodPlan(MethodNode method) {
    this.temporaries = new Temporaries(method.maxLocals + 1);
  }

  static MethodPlan everyAccess(MethodNode method) {
    return new MethodPlan(method);
  }

  static MethodPlan of(
      MethodNode method,
      Boundaries boundaries,
      CheckedFields fields,
      Summaries summaries,
      ConstantArrays constants,
      ParallelWrites writes,
      RowVisits visits,
      @Nullable ClassLoader loader) {
    MethodPlan plan = new MethodPlan(method);
    if (method.instructions.size() > 0 && method.instructions.size() <= NODES_MAX) {
      try {
        plan.analyze(method, boundaries, fields, summaries, constants, writes, visits, loader);
      } catch (AnalyzerException e) {
        return new MethodPlan(method);
      }
    }
    return plan;
  }

  private void analyze(
      MethodNode method,
      Boundaries boundaries,
      CheckedFields fields,
      Summaries summaries,
      ConstantArrays constants,
      ParallelWrites writes,
      RowVisits visits,
      @Nullable ClassLoader loader)
      throws AnalyzerException {
    FlowGraph flow = new FlowGraph(method);
    if (flow.previous(0).length > 0) {
      // A loop whose first instruction is the method's: there must be a way into it.
      method.instructions.insert(new InsnNode(Opcodes.NOP));
      flow = new FlowGraph(method);
    }
    Values values = new Values(method, flow);
    for (RowVisitLoop loop : RowVisitLoop.of(method, flow, values, fields, visits)) {
      graph = flow;
      visitCode.add(new RowVisitCode(loop, visits, method.maxLocals, temporaries));
    }
    BitSet ends = new BitSet();
    List<AccessInstruction> checked = new ArrayList<>();
    int initialized = initialized(method, flow, values);
    for (int node : flow.order()) {
      if (boundaries.isBoundary(flow.instruction(node))) {
        ends.set(node);
      }
      AccessInstruction access = AccessInstruction.of(flow, values, node);
      if (access != null
          && flow.dominates(initialized, node)
          && (access.isElement()
              || fields.variable((FieldInsnNode) access.instruction()).isPresent())) {
        checked.add(access);
        accesses.put(access.instruction(), access);
      }
    }
    if (checked.isEmpty()) {
      return;
    }
    graph = flow;
    checked = withoutConstantArrays(checked, values, constants);
    checked = withoutUnwritten(checked, fields, writes);
    checked = withoutLocalObjects(checked, flow, values, summaries, loader);
    List<Loop> loops = Loop.of(flow);
    Map<Loop, Region> regions = new HashMap<>();
    for (Loop loop : outermost(loops, ends, initialized, flow)) {
      regions.put(loop, new Region(flow, values, boundaries, loop::contains));
    }
    checked = withoutReadsBeforeWrites(checked, flow, ends, regions.keySet());
    checked = withoutRepeats(checked, flow, values, boundaries, ends, regions);
    boolean isOfLoops =
        checked.stream()
            .anyMatch(access -> loops.stream().anyMatch(loop -> loop.contains(access.node())));
    if (isOfLoops || loops.isEmpty()) {
      Region whole = new Region(flow, values, boundaries, node -> true);
      List<AccessInstruction> all = new ArrayList<>(accesses.values());
      all.sort(Comparator.comparingInt(AccessInstruction::node));
      footprint =
          Footprint.of(method, flow, values, whole, fields, constants, loops, all).orElse(null);
    }
    for (Loop loop : loops) {
      Region region = regions.get(loop);
      if (region != null) {
        planNest(loop, region, loops, flow, values, constants, checked);
      }
    }
    group(checked, flow, ends);
    inspections = new Inspections(method, flow, values, fields, constants, temporaries);
    inspect(checked, inspections);
    for (NestPlan nest : nests) {
      NestCode nestCode = new NestCode(nest, flow, method, method.maxLocals, temporaries);
      nestCode.branches().forEach(access -> how.put(access, "a range"));
      code.add(nestCode);
    }
  }

  /** The node after which {@code this} is an object: the call of the super constructor, or 0. */
  private static int initialized(MethodNode method, FlowGraph flow, Values values) {
    if (!method.name.equals("<init>")) {
      return 0;
    }
    for (int node : flow.order()) {
      if (flow.instruction(node) instanceof MethodInsnNode call
          && call.name.equals("<init>")
          && values.operands(node).get(0).kind == Value.Kind.ENTRY
          && values.operands(node).get(0).number == 0) {
        return node;
      }
    }
    return 0;
  }

  private List<AccessInstruction> withoutConstantArrays(
      List<AccessInstruction> checked, Values values, ConstantArrays constants) {
    List<AccessInstruction> rest = new ArrayList<>();
    for (AccessInstruction access : checked) {
      Value array = access.target();
      if (access.isElement() && array != null && constants.contains(values, array)) {
        dropped.put(access, "only the constructor writes the array");
      } else {
        rest.add(access);
      }
    }
    return rest;
  }

  /** Without reads of what no part of the program writes that may run in parallel. */
  private List<AccessInstruction> withoutUnwritten(
      List<AccessInstruction> checked, CheckedFields fields, ParallelWrites writes) {
    List<AccessInstruction> rest = new ArrayList<>();
    for (AccessInstruction access : checked) {
      boolean mayBeWritten =
          access.isWrite()
              || (access.instruction() instanceof FieldInsnNode field
                  ? fields
                      .variable(field)
                      .filter(found -> found.isVolatile() || writes.mayWrite(found))
                      .isPresent()
                  : writes.mayWriteWhatLoads(access.instruction().getOpcode()));
      if (mayBeWritten) {
        rest.add(access);
      } else {
        dropped.put(access, "nothing that runs in parallel writes it");
      }
    }
    return rest;
  }

  private List<AccessInstruction> withoutLocalObjects(
      List<AccessInstruction> checked,
      FlowGraph flow,
      Values values,
      Summaries summaries,
      @Nullable ClassLoader loader) {
    Set<Value> local = new LocalObjects(flow, values, summaries, loader).find();
    List<AccessInstruction> rest = new ArrayList<>();
    for (AccessInstruction access : checked) {
      if (access.target() != null && local.contains(access.target())) {
        dropped.put(access, "nobody else sees the object");
      } else {
        rest.add(access);
      }
    }
    return rest;
  }

  private List<AccessInstruction> withoutRepeats(
      List<AccessInstruction> checked,
      FlowGraph flow,
      Values values,
      Boundaries boundaries,
      BitSet ends,
      Map<Loop, Region> regions) {
    // Outside loops loads are told apart, unless the whole method is one block.
    Region whole = new Region(flow, values, boundaries, node -> true);
    Region outside =
        whole.isOneBlock() ? whole : new Region(flow, values, boundaries, node -> false);
    Set<AccessInstruction> repeated =
        new Repeats(
                flow,
                ends,
                node ->
                    regions.entrySet().stream()
                        .filter(entry -> entry.getKey().contains(node))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(outside))
            .find(checked);
    List<AccessInstruction> rest = new ArrayList<>();
    for (AccessInstruction access : checked) {
      if (repeated.contains(access)) {
        dropped.put(access, "the block has done so before");
      } else {
        rest.add(access);
      }
    }
    return rest;
  }

  /** In loops, the read of an element that is written next, whatever happens. */
  private List<AccessInstruction> withoutReadsBeforeWrites(
      List<AccessInstruction> checked, FlowGraph flow, BitSet ends, Set<Loop> nests) {
    Map<Integer, AccessInstruction> writes = new HashMap<>();
    for (AccessInstruction access : checked) {
      if (access.isElement() && access.isWrite()) {
        writes.put(access.node(), access);
      }
    }
    List<AccessInstruction> rest = new ArrayList<>();
    for (AccessInstruction access : checked) {
      boolean isInNest = nests.stream().anyMatch(loop -> loop.contains(access.node()));
      if (isInNest && isWrittenNext(access, flow, ends, writes)) {
        dropped.put(access, "the block writes it next");
      } else {
        rest.add(access);
      }
    }
    return rest;
  }

  private static boolean isWrittenNext(
      AccessInstruction read, FlowGraph flow, BitSet ends, Map<Integer, AccessInstruction> writes) {
    // Rows are loaded to be accessed themselves, which wants to know where they come from.
    if (!read.isElement() || read.isWrite() || read.instruction().getOpcode() == Opcodes.AALOAD) {
      return false;
    }
    int node = read.node();
    while (flow.next(node).length == 1 && flow.previous(flow.next(node)[0]).length == 1) {
      node = flow.next(node)[0];
      AccessInstruction write = writes.get(node);
      if (write != null) {
        return write.target() == read.target() && write.index() == read.index();
      }
      AbstractInsnNode instruction = flow.instruction(node);
      boolean isNumber =
          instruction instanceof LdcInsnNode constant && constant.cst instanceof Number;
      if (ends.get(node) || (FlowGraph.mayThrow(instruction.getOpcode()) && !isNumber)) {
        return false;
      }
    }
    return false;
  }

  /** Loops in which no block ends, and around which one does. */
  private static List<Loop> outermost(
      List<Loop> loops, BitSet ends, int initialized, FlowGraph flow) {
    Set<Loop> whole = new HashSet<>();
    for (Loop loop : loops) {
      boolean ended = ends.stream().anyMatch(loop::contains);
      if (!ended && flow.dominates(initialized, loop.header())) {
        whole.add(loop);
      }
    }
    List<Loop> outermost = new ArrayList<>(whole);
    outermost.removeIf(loop -> loop.parent() != null && whole.contains(loop.parent()));
    return outermost;
  }

  private void planNest(
      Loop loop,
      Region region,
      List<Loop> loops,
      FlowGraph flow,
      Values values,
      ConstantArrays constants,
      List<AccessInstruction> checked) {
    NestPlan nest = new NestPlan(loop, region, loops, flow, values, constants, temporaries);
    if (!nest.isTractable()) {
      return;
    }
    for (AccessInstruction access : checked) {
      if (loop.contains(access.node())) {
        how.put(access, nest.add(access));
      }
    }
    nest.findContinued()
        .forEach(access -> how.put(access, "gathered with a range of the inner loop"));
    nest.atExits.forEach(planned -> atExits.put(planned.access, planned));
    nest.through.forEach(planned -> atExits.put(planned.access, planned));
    nests.add(nest);
  }

  Temporaries temporaries() {
    return temporaries;
  }

  boolean isDropped(AbstractInsnNode instruction) {
    AccessInstruction access = accesses.get(instruction);
    return access != null && dropped.containsKey(access);
  }

  /**
   * Reads of fields of one object that follow each other, whatever happens, in one block: one check
   * for all of them.
   */
  private void group(List<AccessInstruction> checked, FlowGraph flow, BitSet ends) {
    Map<Integer, AccessInstruction> reads = new HashMap<>();
    for (AccessInstruction access : checked) {
      if (access.instruction().getOpcode() == Opcodes.GETFIELD
          && !atExits.containsKey(access)
          && !ends.get(access.node())) {
        reads.put(access.node(), access);
      }
    }
    Set<AccessInstruction> done = new HashSet<>();
    for (AccessInstruction leader : checked) {
      if (reads.get(leader.node()) == leader && !done.contains(leader)) {
        List<AccessInstruction> members = new ArrayList<>(List.of(leader));
        int node = leader.node();
        while (flow.next(node).length == 1
            && flow.previous(flow.next(node)[0]).length == 1
            && !ends.get(flow.next(node)[0])) {
          node = flow.next(node)[0];
          AccessInstruction next = reads.get(node);
          if (next != null && next.target() == leader.target() && !done.contains(next)) {
            members.add(next);
          }
        }
        if (members.size() > 1) {
          done.addAll(members);
          members.forEach(member -> groups.put(member, List.of()));
          groups.put(leader, members);
          members.forEach(member -> how.put(member, "checked with others of its object"));
        }
      }
    }
  }

  /** Checks of fields in loops that ask before they begin. */
  private void inspect(List<AccessInstruction> checked, Inspections asked) {
    for (AccessInstruction access : checked) {
      List<AccessInstruction> members = groups.getOrDefault(access, List.of(access));
      if (access.instruction().getOpcode() == Opcodes.GETFIELD
          && !atExits.containsKey(access)
          && !members.isEmpty()
          && nests.stream().anyMatch(nest -> nest.contains(access) && asks(nest, access, asked))) {
        members.forEach(
            member -> how.put(member, "checked unless all objects of the array are read"));
      }
    }
  }

  private static boolean asks(NestPlan nest, AccessInstruction access, Inspections asked) {
    Loop loop = nest.innermost(access.node());
    return nest.isTractable(loop) && asked.add(access, loop);
  }

  /** What is asked before the loop of an access; empty where nothing is. */
  Optional<Inspections.Inspection> inspection(AbstractInsnNode instruction) {
    AccessInstruction access = accesses.get(instruction);
    return access == null || inspections == null ? Optional.empty() : inspections.of(access);
  }

  /**
   * The variables and sites in turn of the fields that are checked together before this access;
   * nothing where another one's check includes it, null where it has its own.
   */
  int @Nullable [] group(AbstractInsnNode instruction) {
    AccessInstruction access = accesses.get(instruction);
    List<AccessInstruction> members = access == null ? null : groups.get(access);
    if (members == null) {
      return null;
    }
    int[] found = new int[2 * members.size()];
    for (int i = 0; i < members.size(); i++) {
      int[] numbers = fieldNumbers.getOrDefault(members.get(i), new int[2]);
      System.arraycopy(numbers, 0, found, 2 * i, 2);
    }
    return found;
  }

  /** What happens to an access, for {@code --explain}. */
  String explain(AbstractInsnNode instruction) {
    AccessInstruction access = accesses.get(instruction);
    if (access == null) {
      return "checked one by one";
    }
    String why = dropped.get(access);
    if (why != null) {
      return "dropped: " + why;
    }
    String planned = how.getOrDefault(access, "");
    return planned.isEmpty() ? "checked one by one" : planned;
  }

  /** The method's checks got these numbers. */
  void number(AbstractInsnNode instruction, int variable, int site) {
    AccessInstruction access = accesses.get(instruction);
    if (access == null) {
      return;
    }
    fieldNumbers.put(access, new int[] {variable, site});
    LoopAccess planned = atExits.get(access);
    if (planned != null) {
      planned.site = site;
      planned.variable = variable;
    }
    nests.forEach(nest -> nest.number(access, site));
  }

  /**
   * What stands before an access of which it follows what it touched when its loop is left; empty
   * for all others.
   */
  Optional<InsnList> mark(AbstractInsnNode instruction) {
    AccessInstruction access = accesses.get(instruction);
    return access == null
        ? Optional.empty()
        : code.stream().flatMap(nest -> nest.mark(access).stream()).findFirst();
  }

  /** What takes the operands of an access instead of the hook; null where it is the hook. */
  @Nullable InsnList taker(AbstractInsnNode instruction) {
    AccessInstruction access = accesses.get(instruction);
    if (access == null) {
      return null;
    }
    LoopAccess planned = atExits.get(access);
    if (planned != null) {
      return RangeCode.keep(planned);
    }
    for (NestCode nest : code) {
      Optional<InsnList> continuation = nest.continuation(access);
      if (continuation.isPresent()) {
        return continuation.get();
      }
    }
    for (NestPlan nest : nests) {
      Integer point = nest.points.get(access);
      if (point != null) {
        return NestCode.point(point);
      }
      Integer place = nest.scattered.get(access);
      if (place != null) {
        return NestCode.scattered(place, nest.once.get(access));
      }
    }
    return null;
  }

  /** Loops of the method that tell before they begin what their calls access. */
  List<RowVisitCode> visitLoops() {
    return visitCode;
  }

  /** The site of an access that an instruction is; 0 for one that is dropped. */
  int site(AbstractInsnNode instruction) {
    AccessInstruction access = accesses.get(instruction);
    return access == null ? 0 : site(access);
  }

  /** What the method accesses, as far as that is known when it is entered. */
  @Nullable Footprint footprint() {
    return footprint;
  }

  /** Whether an access is reported. */
  boolean isReported(AccessInstruction access) {
    return !dropped.containsKey(access);
  }

  /** The site of an access; 0 for one that is dropped. */
  int site(AccessInstruction access) {
    return dropped.containsKey(access) ? 0 : fieldNumbers.getOrDefault(access, new int[2])[1];
  }

  /** Inserts what stands on the ways into loops and out of them. */
  void insert(MethodNode method, int context) {
    if (graph == null || (code.isEmpty() && visitCode.isEmpty())) {
      return;
    }
    EdgeCode edges = new EdgeCode(graph);
    code.forEach(nest -> nest.insert(edges));
    for (RowVisitCode each : visitCode) {
      each.insert(method, graph, edges);
    }
    if (inspections != null) {
      inspections.insert(edges, context);
    }
    edges.insert(method);
    code.forEach(NestCode::catchExceptions);
  }
}
