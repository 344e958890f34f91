package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.ranges;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.FootprintReports.Place;
import org.reprise.anomaly.agent.instrument.FootprintReports.Report;
import org.reprise.anomaly.agent.instrument.code.HookCode;
import org.reprise.anomaly.agent.instrument.code.HookNames;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.parts.ArrayParts;
import org.reprise.anomaly.agent.instrument.program.Sites;

/**
 * What stands before a method whose {@link Footprint} is known: if its arrays hold all of that, it
 * is reported, and the method as it was written is called; else its checks follow. Where it is the
 * body of a loop, {@link SummarisedLoopCode} is asked first, which does many iterations at once.
 */
final class FootprintCode {
  private final ClassNode owner;
  private final MethodNode entry;
  private final Footprint footprint;
  private final FootprintReports reports;
  private final Sites sites;
  private final HookCode hooks;
  private final InsnList code;
  private final Computation computation;
  private final LabelNode otherwise = new LabelNode();

  private FootprintCode(
      ClassNode owner,
      MethodNode entry,
      Footprint footprint,
      FootprintReports reports,
      Sites sites) {
    this.owner = owner;
    this.entry = entry;
    this.footprint = footprint;
    this.reports = reports;
    this.sites = sites;
    int context = locals(entry);
    this.hooks = new HookCode(owner.version, context, context + 1);
    this.code = entry.instructions;
    this.computation = new Computation(footprint, hooks, code);
  }

  /** How many local variables a method's arguments take. */
  static int locals(MethodNode method) {
    int arguments = Type.getArgumentsAndReturnSizes(method.desc) >> 2;
    return (method.access & Opcodes.ACC_STATIC) == 0 ? arguments : arguments - 1;
  }

  /**
   * Takes the place of a method that has its checks by now, and goes on as another: a method that
   * is small enough becomes part of the loop that calls it.
   *
   * @param body its number, if it is the body of a loop that {@link SummarisedLoopCode} reports;
   *     else 0
   * @param added gets the methods that the class needs besides
   */
  static MethodNode replace(
      ClassNode owner,
      MethodNode checked,
      Footprint footprint,
      MethodPlan plan,
      Sites sites,
      int body,
      List<MethodNode> added) {
    MethodNode entry = entry(checked, added);
    FootprintReports reports = new FootprintReports(footprint, plan::site);
    FootprintCode code = new FootprintCode(owner, entry, footprint, reports, sites);
    if (body != 0) {
      String plain = ArrayParts.plain(entry.name);
      added.add(SummarisedLoopCode.of(owner, entry, footprint, reports, sites, plain));
    }
    code.fill(body);
    return entry;
  }

  /** As {@link #replace}, for a body of a loop whose calls are otherwise reported one by one. */
  static MethodNode replace(ClassNode owner, MethodNode checked, int body, List<MethodNode> added) {
    MethodNode entry = entry(checked, added);
    int context = locals(entry);
    HookCode hooks = new HookCode(owner.version, context, context + 1);
    entry.instructions.add(hooks.entry());
    callLeaf(owner, entry, hooks, body);
    ArrayParts.call(owner, entry, ArrayParts.checked(entry.name), entry.instructions);
    entry.maxLocals = hooks.locals();
    return entry;
  }

  /** A method in place of another, which goes on under another name. */
  private static MethodNode entry(MethodNode checked, List<MethodNode> added) {
    MethodNode entry =
        new MethodNode(
            Opcodes.ASM9, checked.access, checked.name, checked.desc, checked.signature, null);
    entry.exceptions = checked.exceptions;
    entry.parameters = checked.parameters;
    ArrayParts.moveAnnotations(checked, entry);
    checked.name = ArrayParts.checked(checked.name);
    checked.signature = null;
    checked.access =
        Opcodes.ACC_PRIVATE | (checked.access & Opcodes.ACC_STATIC) | Opcodes.ACC_SYNTHETIC;
    added.add(checked);
    for (AbstractInsnNode instruction : checked.instructions) {
      if (instruction instanceof LineNumberNode first && entry.instructions.size() == 0) {
        LabelNode start = new LabelNode();
        entry.instructions.add(start);
        entry.instructions.add(new LineNumberNode(first.line, start));
      }
    }
    return entry;
  }

  private void fill(int body) {
    code.add(hooks.entry());
    if (body != 0) {
      callLeaf(owner, entry, hooks, body);
    }
    footprint.counts().forEach(this::test);
    for (Value array : reports.arrays()) {
      computation.loadArray(array);
      code.add(new JumpInsnNode(Opcodes.IFNULL, otherwise));
    }
    reports.tested().forEach(this::test);
    reports.reports().forEach(this::report);
    ArrayParts.call(owner, entry, ArrayParts.plain(entry.name), code);
    code.add(otherwise);
    code.add(ArrayParts.frame(owner, entry));
    ArrayParts.call(owner, entry, ArrayParts.checked(entry.name), code);
    entry.maxLocals = hooks.locals();
  }

  /** The call may stand for many iterations of a loop. */
  private static void callLeaf(ClassNode owner, MethodNode entry, HookCode hooks, int body) {
    InsnList code = entry.instructions;
    LabelNode alone = new LabelNode();
    code.add(new LdcInsnNode(body));
    hooks.ask(code, "isAhead", "I", "Z");
    code.add(new JumpInsnNode(Opcodes.IFEQ, alone));
    ArrayParts.call(owner, entry, ArrayParts.summary(entry.name), code);
    code.add(alone);
    code.add(frame(owner, entry, HookNames.CONTEXT));
  }

  /** The frame of a method in which its arguments are set, and some variables after them. */
  static FrameNode frame(ClassNode owner, MethodNode method, Object... more) {
    FrameNode frame = ArrayParts.frame(owner, method);
    List<Object> locals = new ArrayList<>(frame.local);
    locals.addAll(List.of(more));
    frame.local = locals;
    return frame;
  }

  /** A loop that never runs leaves out what is in it; one near the greatest int wraps around. */
  private void test(Footprint.Count count) {
    computation.load(count.start());
    computation.load(count.bound());
    code.add(new JumpInsnNode(Opcodes.IF_ICMPGE, otherwise));
    if (count.ahead() != 0) {
      computation.load(count.comparedStart());
      computation.load(count.comparedBound());
      code.add(new JumpInsnNode(Opcodes.IF_ICMPGE, otherwise));
    }
    if (count.step() > 1) {
      computation.load(count.comparedBound());
      code.add(new LdcInsnNode(Integer.MAX_VALUE - count.step()));
      code.add(new JumpInsnNode(Opcodes.IF_ICMPGT, otherwise));
    }
  }

  private void test(Place place) {
    computation.loadArray(place.array());
    computation.load(place.from());
    computation.load(place.to());
    code.add(ranges("holds", "(" + L_OBJECT + "II)Z"));
    code.add(new JumpInsnNode(Opcodes.IFEQ, otherwise));
  }

  private void report(Place place, Report report) {
    if (place.isOne()) {
      report.rest().forEach(this::element);
      return;
    }
    computation.loadArray(place.array());
    computation.load(place.from());
    computation.loadEnd(place);
    code.add(Computation.number(place.stride()));
    String hook = report.isWritten() ? "writeRange" : "readRange";
    hooks.add(code, hook, L_OBJECT + "III", reports.site(report, sites));
  }

  /** Single elements may be here and there: each statement is told for itself. */
  private void element(Footprint.Piece piece) {
    computation.loadArray(piece.array());
    computation.load(piece.from());
    String hook = piece.access().isWrite() ? "writeElement" : "readElement";
    hooks.add(code, hook, L_OBJECT + "I", reports.site(piece));
  }
}
