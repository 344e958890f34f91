package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_CONTEXT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.ranges;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.FootprintReports.Place;
import org.reprise.anomaly.agent.instrument.FootprintReports.Report;
import org.reprise.anomaly.agent.instrument.code.HookCode;
import org.reprise.anomaly.agent.instrument.code.HookNames;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.parts.ArrayParts;
import org.reprise.anomaly.agent.instrument.program.Sites;

/**
 * The body of a loop, for many iterations: a method that is called in place of the body, once
 * before the loop begins, to report what all iterations are going to do, and once for all those
 * that a thread executes one after the other. The arguments are the same in each but for the last,
 * the iteration's number, so the {@link Footprint} of each follows from that of the first if it
 * moves evenly: through one row after the other, or through one array by as much each time. The
 * iterations themselves run as they were written, in a loop that the compiler sees through.
 *
 * <p>What cannot be said of all of them is said of none: then each iteration reports for itself.
 */
public final class SummarisedLoopCode {
  private static final Polynomial NOTHING = Polynomial.constant(0);
  private static final Polynomial ONE = Polynomial.constant(1);

  private final Footprint footprint;
  private final FootprintReports reports;
  private final Sites sites;

  /** The local variable that holds the iteration's number, when the method is entered. */
  private final int number;

  private final InsnList code = new InsnList();
  private final HookCode hooks;
  private final Computation computation;
  private final LabelNode otherwise = new LabelNode();

  /** Holds how many calls are reported, or done. */
  private final int calls;

  private SummarisedLoopCode(
      ClassNode owner,
      MethodNode method,
      Footprint footprint,
      FootprintReports reports,
      Sites sites) {
    this.footprint = footprint;
    this.reports = reports;
    this.sites = sites;
    int context = FootprintCode.locals(method);
    this.number = context - 1;
    this.hooks = new HookCode(owner.version, context, context + 1);
    this.calls = hooks.local(1);
    this.computation = new Computation(footprint, hooks, code);
  }

  /**
   * Whether what a method accesses moves evenly if it is called with one number after the other.
   */
  static boolean isPossible(
      ClassNode owner, MethodNode method, Footprint footprint, MethodPlan plan) {
    FootprintReports reports =
        new FootprintReports(footprint, access -> plan.isReported(access) ? 1 : 0);
    return !reports.reports().isEmpty()
        && new SummarisedLoopCode(owner, method, footprint, reports, new Sites()).movesEvenly();
  }

  /**
   * The method that reports and does many calls of another, of which that {@link #isPossible}.
   *
   * @param plain the other as it was written
   */
  static MethodNode of(
      ClassNode owner,
      MethodNode method,
      Footprint footprint,
      FootprintReports reports,
      Sites sites,
      String plain) {
    SummarisedLoopCode leaf = new SummarisedLoopCode(owner, method, footprint, reports, sites);
    MethodNode made =
        new MethodNode(
            Opcodes.ASM9,
            Opcodes.ACC_PRIVATE | (method.access & Opcodes.ACC_STATIC) | Opcodes.ACC_SYNTHETIC,
            ArrayParts.summary(method.name),
            method.desc,
            null,
            null);
    leaf.fill(owner, method, plain);
    made.instructions.add(leaf.code);
    made.maxLocals = leaf.hooks.locals();
    return made;
  }

  /**
   * Makes a method answer no question but do what it does: the body of a loop that was redefined
   * since whoever asks it was loaded.
   */
  static void tellNothing(ClassNode owner, MethodNode method) {
    LabelNode begins = new LabelNode();
    InsnList code = new InsnList();
    code.add(HookNames.hook("context", "()" + L_CONTEXT));
    code.add(HookNames.hook("isQueried", "(" + L_CONTEXT + ")Z"));
    code.add(new JumpInsnNode(Opcodes.IFEQ, begins));
    code.add(new InsnNode(Opcodes.RETURN));
    code.add(begins);
    code.add(ArrayParts.frame(owner, method));
    code.add(new InsnNode(Opcodes.NOP)); // A frame of its own may follow.
    method.instructions.insert(code);
  }

  private boolean movesEvenly() {
    return footprint.counts().stream().allMatch(count -> isEven(count.start(), count.bound()))
        && footprint.measured().stream().allMatch(array -> !moves(array) || isRow(array))
        && reports.arrays().stream().allMatch(array -> !moves(array) || isRow(array))
        && reports.tested().stream().allMatch(place -> isEven(place.from(), place.to()));
  }

  /** Whether both ends move by as much in each iteration. */
  private boolean isEven(Polynomial from, Polynomial to) {
    return isLinear(from) && isLinear(to) && shift(from).equals(shift(to));
  }

  private boolean isLinear(Polynomial number) {
    return !shift(number).mentions(this::moves) && !rest(number).mentions(this::moves);
  }

  /** By how much a number grows from one iteration to the next, if it is linear. */
  private Polynomial shift(Polynomial number) {
    return number.terms().keySet().stream()
        .flatMap(factors -> factors.stream())
        .filter(this::isNumber)
        .findFirst()
        .map(number::coefficient)
        .orElse(NOTHING);
  }

  private Polynomial rest(Polynomial number) {
    return number.terms().keySet().stream()
        .flatMap(factors -> factors.stream())
        .filter(this::isNumber)
        .findFirst()
        .map(number::without)
        .orElse(number);
  }

  private boolean isNumber(Value value) {
    return value.kind == Value.Kind.ENTRY && value.number == number;
  }

  /** Whether a value depends on the iteration. */
  private boolean moves(Value value) {
    return switch (value.kind) {
      case CONSTANT -> false;
      case ENTRY -> value.number == number;
      case OPERATION ->
          value.left == null || value.right == null || moves(value.left) || moves(value.right);
      case RESULT ->
          !isLengthOfRow(value)
              && footprint.values().operands(value.node).stream().anyMatch(this::moves);
      case MERGE, UNSET -> true;
    };
  }

  /** Whether each iteration has the next row of the same array of rows. */
  private boolean isRow(Value array) {
    return array.opcode() == Opcodes.AALOAD
        && !moves(rows(array))
        && isLinear(index(array))
        && shift(index(array)).equals(ONE);
  }

  /** Whether it is the length of a row: rows of different lengths are not summarised. */
  private boolean isLengthOfRow(Value value) {
    return value.opcode() == Opcodes.ARRAYLENGTH
        && isRow(footprint.region().same(footprint.values().operand(value.node, 0)));
  }

  private Value rows(Value row) {
    return footprint.region().same(footprint.values().operand(row.node, 1));
  }

  private Polynomial index(Value row) {
    return footprint.region().polynomial(footprint.values().operand(row.node, 0));
  }

  private void fill(ClassNode owner, MethodNode method, String plain) {
    LabelNode doesAll = new LabelNode();
    code.add(hooks.entry());
    hooks.ask(code, "isQueried", "", "Z");
    code.add(new JumpInsnNode(Opcodes.IFEQ, doesAll));
    report();
    code.add(otherwise);
    code.add(FootprintCode.frame(owner, method, HookNames.CONTEXT));
    code.add(new InsnNode(Opcodes.RETURN));
    code.add(doesAll);
    code.add(FootprintCode.frame(owner, method, HookNames.CONTEXT));
    iterate(owner, method, plain);
  }

  private void report() {
    hooks.ask(code, "callsQueried", "", "I");
    code.add(new VarInsnNode(Opcodes.ISTORE, calls));
    footprint.measured().stream().filter(this::moves).forEach(this::testLengths);
    footprint.counts().forEach(this::test);
    for (Value array : footprint.measured()) {
      computation.loadArray(array);
      code.add(new JumpInsnNode(Opcodes.IFNULL, otherwise));
    }
    reports.tested().forEach(this::test);
    reports.reports().forEach(this::report);
    hooks.add(code, "declared", "");
  }

  /** Calls the method as it was written, with one number after the other. */
  private void iterate(ClassNode owner, MethodNode method, String plain) {
    LabelNode next = new LabelNode();
    hooks.ask(code, "takeCalls", "", "I");
    code.add(new VarInsnNode(Opcodes.ISTORE, calls));
    code.add(next);
    code.add(FootprintCode.frame(owner, method, HookNames.CONTEXT, Opcodes.INTEGER));
    ArrayParts.invoke(owner, method, plain, code);
    code.add(new IincInsnNode(number, 1));
    code.add(new IincInsnNode(calls, -1));
    code.add(new VarInsnNode(Opcodes.ILOAD, calls));
    code.add(new JumpInsnNode(Opcodes.IFGT, next));
    code.add(new InsnNode(Opcodes.RETURN));
  }

  private void testLengths(Value row) {
    loadPlace(row);
    code.add(new VarInsnNode(Opcodes.ILOAD, calls));
    code.add(ranges("areAlike", "(" + L_OBJECT + "II)Z"));
    code.add(new JumpInsnNode(Opcodes.IFEQ, otherwise));
  }

  private void test(Footprint.Count count) {
    test(count, count.start(), count.bound());
    if (count.ahead() != 0) {
      test(count, count.comparedStart(), count.comparedBound());
    }
  }

  private void test(Footprint.Count count, Polynomial start, Polynomial bound) {
    computation.load(start);
    computation.load(bound);
    code.add(new JumpInsnNode(Opcodes.IF_ICMPGE, otherwise));
    computation.load(start);
    computation.load(bound);
    code.add(Computation.number(count.step()));
    computation.load(shift(start));
    code.add(new VarInsnNode(Opcodes.ILOAD, calls));
    code.add(ranges("counts", "(IIIII)Z"));
    code.add(new JumpInsnNode(Opcodes.IFEQ, otherwise));
  }

  private void test(Place place) {
    boolean isRow = loadPlace(place.array());
    computation.load(place.from());
    computation.load(place.to());
    computation.load(shift(place.from()));
    code.add(new VarInsnNode(Opcodes.ILOAD, calls));
    if (isRow) {
      code.add(isConstant(place.array()));
      code.add(new VarInsnNode(Opcodes.ALOAD, hooks.context));
      code.add(ranges("holdsEachRow", "(" + L_OBJECT + "IIIIIZ" + L_CONTEXT + ")Z"));
    } else {
      code.add(ranges("holdsEach", "(" + L_OBJECT + "IIII)Z"));
    }
    code.add(new JumpInsnNode(Opcodes.IFEQ, otherwise));
  }

  /** Whether the array of rows always has the same rows. */
  private AbstractInsnNode isConstant(Value row) {
    return new InsnNode(footprint.isConstant(rows(row)) ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
  }

  /** Loads an array; or, and this is what it returns, the rows and which of them it is. */
  private boolean loadPlace(Value array) {
    if (!moves(array)) {
      computation.loadArray(array);
      return false;
    }
    computation.loadArray(rows(array));
    computation.load(index(array));
    return true;
  }

  private void report(Place place, Report report) {
    if (place.isOne()) {
      for (Footprint.Piece piece : report.rest()) {
        report(place, piece.access().isWrite(), reports.site(piece));
      }
    } else {
      report(place, report.isWritten(), reports.site(report, sites));
    }
  }

  private void report(Place place, boolean isWrite, int site) {
    boolean isRow = loadPlace(place.array());
    computation.load(place.from());
    computation.loadEnd(place);
    code.add(Computation.number(place.stride()));
    computation.load(shift(place.from()));
    code.add(new VarInsnNode(Opcodes.ILOAD, calls));
    if (isRow) {
      code.add(isConstant(place.array()));
    }
    code.add(new InsnNode(isWrite ? Opcodes.ICONST_1 : Opcodes.ICONST_0));
    hooks.add(code, isRow ? "eachRow" : "each", L_OBJECT + (isRow ? "IIIIIIZZ" : "IIIIIZ"), site);
  }
}
