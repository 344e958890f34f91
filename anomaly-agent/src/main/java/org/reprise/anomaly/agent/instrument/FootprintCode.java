package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.HookCode.OBJECT;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;
import org.reprise.anomaly.agent.instrument.flow.Value;

/**
 * What stands before a method whose {@link Footprint} is known: if its arrays hold all of that, it
 * is reported, and the method as it was written is called; else its checks follow. Accesses to the
 * same elements are one report, which is what makes it cheap.
 */
final class FootprintCode {
  /** The same elements; strides matter only to ranges. */
  private record Place(Value array, Polynomial from, Polynomial to, int stride) {}

  /** What is reported at once: what happens to the first element only, and to the others. */
  private static final class Report {
    final List<Footprint.Piece> heads = new ArrayList<>();
    final List<Footprint.Piece> rest = new ArrayList<>();
  }

  private static final Polynomial ONE = Polynomial.constant(1);

  private final Footprint footprint;
  private final HookCode hooks;
  private final ToIntFunction<Access> siteOf;
  private final InsnList code = new InsnList();
  private final LabelNode otherwise = new LabelNode();
  private final Map<Value, Integer> arrays = new HashMap<>();
  private final Map<Polynomial, Integer> numbers = new HashMap<>();
  private final Map<Place, Report> reports = new LinkedHashMap<>();

  /**
   * @param siteOf the site of an access; 0 for those that need no report
   */
  private FootprintCode(Footprint footprint, HookCode hooks, ToIntFunction<Access> siteOf) {
    this.footprint = footprint;
    this.hooks = hooks;
    this.siteOf = siteOf;
  }

  /**
   * Takes the place of a method that has its checks by now, and goes on as another: a method that
   * is small enough becomes part of the loop that calls it.
   */
  static MethodNode replace(
      ClassNode owner, MethodNode checked, Footprint footprint, MethodPlan plan, Sites sites) {
    MethodNode entry =
        new MethodNode(
            Opcodes.ASM9, checked.access, checked.name, checked.desc, checked.signature, null);
    entry.exceptions = checked.exceptions;
    entry.parameters = checked.parameters;
    Parts.moveAnnotations(checked, entry);
    checked.name = Parts.checked(checked.name);
    checked.signature = null;
    checked.access =
        Opcodes.ACC_PRIVATE | (checked.access & Opcodes.ACC_STATIC) | Opcodes.ACC_SYNTHETIC;
    int arguments = Type.getArgumentsAndReturnSizes(entry.desc) >> 2;
    int context = (entry.access & Opcodes.ACC_STATIC) == 0 ? arguments : arguments - 1;
    HookCode hooks = new HookCode(owner.version, context, context + 1);
    FootprintCode code = new FootprintCode(footprint, hooks, plan::site);
    for (AbstractInsnNode instruction : checked.instructions) {
      if (instruction instanceof LineNumberNode first && entry.instructions.size() == 0) {
        LabelNode start = new LabelNode();
        entry.instructions.add(start);
        entry.instructions.add(new LineNumberNode(first.line, start));
      }
    }
    entry.instructions.add(hooks.entry());
    entry.instructions.add(code.code(sites));
    Parts.call(owner, entry, Parts.plain(entry.name), entry.instructions);
    entry.instructions.add(code.otherwise);
    entry.instructions.add(Parts.frame(owner, entry));
    Parts.call(owner, entry, checked.name, entry.instructions);
    entry.maxLocals = hooks.locals();
    return entry;
  }

  /** Tests, and reports if the arrays hold the footprint; what follows runs then. */
  private InsnList code(Sites sites) {
    for (Footprint.Count count : footprint.counts()) {
      test(count);
    }
    Set<Value> found = new LinkedHashSet<>(footprint.measured());
    footprint.pieces().forEach(piece -> found.add(piece.array()));
    for (Value array : found) {
      code.add(new VarInsnNode(Opcodes.ALOAD, array(array)));
      code.add(new JumpInsnNode(Opcodes.IFNULL, otherwise));
    }
    gather();
    Set<Place> tested = new LinkedHashSet<>(reports.keySet());
    footprint.pieces().stream()
        .filter(piece -> !found.contains(loaded(piece)))
        .map(FootprintCode::place)
        .filter(place -> !isInReport(place))
        .forEach(tested::add);
    tested.forEach(this::test);
    reports.forEach((place, report) -> report(place, report, sites));
    return code;
  }

  /** The row that an access loads, which is there if its place is; else whatever is no row. */
  private Value loaded(Footprint.Piece piece) {
    return piece.access().instruction().getOpcode() == Opcodes.AALOAD
        ? same(footprint.values().result(piece.access().node()))
        : footprint.values().zero();
  }

  private static Place place(Footprint.Piece piece) {
    return new Place(piece.array(), piece.from(), piece.to(), piece.stride());
  }

  private void gather() {
    for (Footprint.Piece piece : footprint.pieces()) {
      if (siteOf.applyAsInt(piece.access()) != 0) {
        reports.computeIfAbsent(place(piece), any -> new Report()).rest.add(piece);
      }
    }
    reports.forEach(FootprintCode::dropCovered);
    for (Place place : List.copyOf(reports.keySet())) {
      addNext(place);
    }
    for (Place place : List.copyOf(reports.keySet())) {
      addHeads(place);
    }
  }

  private static boolean isOne(Place place) {
    return place.to.minus(place.from).equals(ONE);
  }

  /** In loops, a read of what is written as often says no more: {@link Coalescing}. */
  private static void dropCovered(Place place, Report report) {
    if (!isOne(place) && isWritten(report.rest)) {
      report.rest.removeIf(piece -> !piece.access().isWrite());
    }
  }

  /**
   * {@code a[j]} and {@code a[j + 1]} are one range, as behind other loops: {@link Coalescing}; and
   * {@code a[j - 1]} and {@code a[j + 1]}, if j goes by two.
   */
  private void addNext(Place place) {
    Place range = place;
    Report report = reports.get(place);
    while (report != null && !isOne(range)) {
      Place last = range;
      Place next =
          reports.keySet().stream()
              .filter(other -> isNext(last, other))
              .filter(other -> isWritten(rest(other)) == isWritten(rest(last)))
              .findFirst()
              .orElse(null);
      if (next == null) {
        return;
      }
      reports.remove(next);
      reports.remove(range);
      range = new Place(range.array, range.from, next.to, range.stride);
      reports.put(range, report);
    }
  }

  /** Whether another range goes one step further, and begins where this one has passed. */
  private static boolean isNext(Place range, Place other) {
    Polynomial step = Polynomial.constant(range.stride);
    Polynomial later = other.from.minus(range.from);
    return other.array == range.array
        && other.stride == range.stride
        && !isOne(other)
        && other.to.minus(range.to).equals(step)
        && (range.stride == 1 ? isAtLeast(later, 1) : later.equals(step));
  }

  private List<Footprint.Piece> rest(Place place) {
    Report report = reports.get(place);
    return report == null ? List.of() : report.rest;
  }

  /**
   * A single element just before a range becomes its first, unless one is written and the other is
   * only read: whoever looks at the whole must not take a read for a write.
   */
  private void addHeads(Place range) {
    Polynomial before = range.from.minus(ONE);
    Place place = new Place(range.array, before, range.from, 1);
    Report report = reports.get(range);
    Report head = reports.get(place);
    if (report == null || head == null || isOne(range) || range.stride != 1) {
      return;
    }
    if (isWritten(head.rest) == isWritten(report.rest)) {
      reports.remove(place);
      reports.remove(range);
      report.heads.addAll(head.rest);
      reports.put(new Place(range.array, before, range.to, 1), report);
    }
  }

  private static boolean isWritten(List<Footprint.Piece> pieces) {
    return pieces.stream().anyMatch(piece -> piece.access().isWrite());
  }

  /** Whether it lies in what is reported and tested as a whole. */
  private boolean isInReport(Place place) {
    return reports.keySet().stream()
        .filter(whole -> whole.array == place.array)
        .anyMatch(
            whole ->
                isAtLeast(place.from.minus(whole.from), 0)
                    && (isAtLeast(whole.to.minus(place.to), 0)
                        || (isOne(place) && place.from.equals(whole.from))));
  }

  private static boolean isAtLeast(Polynomial number, int least) {
    return number.isConstant() && number.constant() >= least;
  }

  /** A loop that never runs leaves out what is in it; one near the greatest int wraps around. */
  private void test(Footprint.Count count) {
    load(count.start());
    load(count.bound());
    code.add(new JumpInsnNode(Opcodes.IF_ICMPGE, otherwise));
    if (count.step() > 1) {
      load(count.bound());
      code.add(new LdcInsnNode(Integer.MAX_VALUE - count.step()));
      code.add(new JumpInsnNode(Opcodes.IF_ICMPGT, otherwise));
    }
  }

  private void test(Place place) {
    code.add(new VarInsnNode(Opcodes.ALOAD, array(place.array)));
    load(place.from);
    load(place.to);
    code.add(HookCode.hook("holds", "(" + OBJECT + "II)Z"));
    code.add(new JumpInsnNode(Opcodes.IFEQ, otherwise));
  }

  private void report(Place place, Report report, Sites sites) {
    boolean isWrite = isWritten(report.rest);
    if (isOne(place)) {
      report.rest.forEach(this::element);
      return;
    }
    code.add(new VarInsnNode(Opcodes.ALOAD, array(place.array)));
    load(place.from);
    load(place.to);
    if (place.stride > 1) {
      load(place.from);
      code.add(number(place.stride));
      code.add(HookCode.hook("end", "(III)I"));
    }
    code.add(number(place.stride));
    hooks.add(code, isWrite ? "writeRange" : "readRange", OBJECT + "III", site(report, sites));
  }

  /** Single elements may be here and there: each statement is told for itself. */
  private void element(Footprint.Piece piece) {
    code.add(new VarInsnNode(Opcodes.ALOAD, array(piece.array())));
    load(piece.from());
    String hook = piece.access().isWrite() ? "writeElement" : "readElement";
    hooks.add(code, hook, OBJECT + "I", siteOf.applyAsInt(piece.access()));
  }

  private int site(Report report, Sites sites) {
    if (report.heads.isEmpty() && report.rest.size() == 1) {
      return siteOf.applyAsInt(report.rest.get(0).access());
    }
    return sites.add(new Bundle(statements(report.heads), statements(report.rest)));
  }

  private List<Bundle.Statement> statements(List<Footprint.Piece> pieces) {
    return pieces.stream()
        .map(Footprint.Piece::access)
        .map(access -> new Bundle.Statement(siteOf.applyAsInt(access), access.isWrite()))
        .toList();
  }

  /** The local variable that holds an array, which is looked up the first time. */
  private int array(Value array) {
    if (array.kind == Value.Kind.ENTRY) {
      return array.number;
    }
    Integer known = arrays.get(array);
    if (known != null) {
      return known;
    }
    if (array.instruction instanceof FieldInsnNode field) {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
      code.add(new FieldInsnNode(Opcodes.GETFIELD, field.owner, field.name, field.desc));
    } else {
      code.add(
          new VarInsnNode(Opcodes.ALOAD, array(same(footprint.values().operand(array.node, 1)))));
      load(polynomial(footprint.values().operand(array.node, 0)));
      code.add(HookCode.hook("row", "(" + OBJECT + "I)" + OBJECT));
    }
    int local = hooks.local(1);
    code.add(new VarInsnNode(Opcodes.ASTORE, local));
    arrays.put(array, local);
    return local;
  }

  private Value same(Value value) {
    return footprint.region().same(value);
  }

  private Polynomial polynomial(Value value) {
    return footprint.region().polynomial(value);
  }

  private static AbstractInsnNode number(int number) {
    return number >= -1 && number <= 5
        ? new InsnNode(Opcodes.ICONST_0 + number)
        : new LdcInsnNode(number);
  }

  private void load(Polynomial number) {
    if (number.isConstant()) {
      code.add(number(number.constant()));
    } else {
      code.add(new VarInsnNode(Opcodes.ILOAD, number(number)));
    }
  }

  /** The local variable that holds a number, which is computed the first time. */
  private int number(Polynomial number) {
    Integer known = numbers.get(number);
    if (known != null) {
      return known;
    }
    boolean isSum = false;
    for (Map.Entry<List<Value>, Integer> term : number.terms().entrySet()) {
      List<Value> factors = term.getKey();
      int times = term.getValue();
      boolean isProduct = times != 1 || factors.isEmpty();
      if (isProduct) {
        code.add(number(times));
      }
      for (Value factor : factors) {
        compute(factor);
        if (isProduct) {
          code.add(new InsnNode(Opcodes.IMUL));
        }
        isProduct = true;
      }
      if (isSum) {
        code.add(new InsnNode(Opcodes.IADD));
      }
      isSum = true;
    }
    int local = hooks.local(1);
    code.add(new VarInsnNode(Opcodes.ISTORE, local));
    numbers.put(number, local);
    return local;
  }

  /** Arrays may have to be looked up before the number that needs them. */
  private void compute(Value value) {
    if (value.kind == Value.Kind.CONSTANT) {
      code.add(number(value.number));
    } else if (value.kind == Value.Kind.ENTRY) {
      code.add(new VarInsnNode(Opcodes.ILOAD, value.number));
    } else if (value.kind == Value.Kind.OPERATION && value.left != null && value.right != null) {
      compute(same(value.left));
      compute(same(value.right));
      code.add(new InsnNode(value.number));
    } else if (value.instruction instanceof FieldInsnNode field) {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
      code.add(new FieldInsnNode(Opcodes.GETFIELD, field.owner, field.name, field.desc));
    } else if (value.opcode() == Opcodes.ARRAYLENGTH) {
      code.add(
          new VarInsnNode(Opcodes.ALOAD, array(same(footprint.values().operand(value.node, 0)))));
      code.add(HookCode.hook("length", "(" + OBJECT + ")I"));
    } else {
      compute(same(footprint.values().operand(value.node, 1)));
      compute(same(footprint.values().operand(value.node, 0)));
      code.add(new InsnNode(value.opcode()));
    }
  }
}
