package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_CONTEXT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_ROUTE;
import static org.reprise.anomaly.agent.instrument.code.HookNames.hook;
import static org.reprise.anomaly.agent.instrument.code.HookNames.ranges;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.RowVisit.Stop;
import org.reprise.anomaly.agent.instrument.code.EdgeCode;
import org.reprise.anomaly.agent.instrument.code.HookNames;
import org.reprise.anomaly.agent.instrument.code.Temporaries;
import org.reprise.anomaly.agent.instrument.flow.FlowGraph;
import org.reprise.anomaly.agent.instrument.loop.EntryValues;
import org.reprise.anomaly.agent.instrument.loop.RangeCode;

/**
 * What stands on the ways into a {@link RowVisitLoop}: it asks for the loop's route, which there is
 * if nothing can be thrown; says what each statement of the visits accesses along it; and keeps
 * whether the visits may be made as they were written. That they access all of it is said before
 * they do, which is wrong only if they run out of stack, or if somebody changes their numbers
 * meanwhile, which is an anomaly of its own.
 */
final class RowVisitCode {
  private final RowVisitLoop visits;
  private final RowVisits all;
  private final int context;

  /** Local variables for the route, and for whether the visits need no checks. */
  private final int route;

  private final int needsNone;

  RowVisitCode(RowVisitLoop visits, RowVisits all, int context, Temporaries temporaries) {
    this.visits = visits;
    this.all = all;
    this.context = context;
    this.route = temporaries.newReference(HookNames.ROUTE);
    this.needsNone = temporaries.newInt();
  }

  void insert(MethodNode method, FlowGraph graph, EdgeCode edges) {
    int header = visits.counter().loop().header();
    for (int from : graph.previous(header)) {
      if (!visits.counter().loop().contains(from)) {
        edges.enter(from, header, entry());
      }
    }
    method.instructions.insertBefore(visits.call(), new VarInsnNode(Opcodes.ILOAD, needsNone));
    all.redirect(visits.call());
  }

  /** The method that is called. */
  String called() {
    return visits.visit().method().name;
  }

  private InsnList entry() {
    InsnList code = new InsnList();
    RowVisit visit = visits.visit();
    EntryValues.load(visit.rows(), code);
    loadNumbers(code);
    code.add(new VarInsnNode(Opcodes.ILOAD, visits.counter().variable().number));
    add(code, visits.offset());
    visits.entry().number(visits.counter().bound()).ifPresent(code::add);
    add(code, visits.offset() + (visits.counter().isUpTo() ? 1 : 0));
    code.add(RangeCode.push(visit.low()));
    code.add(RangeCode.push(visit.high()));
    length(code, visit);
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    String numbers = visits.numbers() == null ? "" : L_OBJECT;
    code.add(hook("route", "(" + L_OBJECT + numbers + "IIIII" + L_CONTEXT + ")" + L_ROUTE));
    code.add(new VarInsnNode(Opcodes.ASTORE, route));
    visit.stops().forEach(stop -> report(code, stop, visit.site(stop)));
    code.add(new VarInsnNode(Opcodes.ALOAD, route));
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook("needsNoChecks", "(" + L_ROUTE + L_CONTEXT + ")I"));
    code.add(new VarInsnNode(Opcodes.ISTORE, needsNone));
    return code;
  }

  private void loadNumbers(InsnList code) {
    if (visits.numbers() != null) {
      visits.entry().array(visits.numbers()).ifPresent(code::add);
    }
  }

  private static void add(InsnList code, int number) {
    if (number != 0) {
      code.add(RangeCode.push(number));
      code.add(new InsnNode(Opcodes.IADD));
    }
  }

  /** The length of the shortest array that is indexed; 0 if something else is not as it must be. */
  private void length(InsnList code, RowVisit visit) {
    code.add(RangeCode.push(Integer.MAX_VALUE));
    for (FieldInsnNode array : visit.indexed()) {
      EntryValues.load(array, code);
      code.add(ranges("shorter", "(I" + L_OBJECT + ")I"));
    }
    visit
        .held()
        .forEach(
            (array, count) -> {
              EntryValues.load(array, code);
              code.add(RangeCode.push(count));
              code.add(ranges("ifHolds", "(I" + L_OBJECT + "I)I"));
            });
    for (Stop stop : visit.stops()) {
      // Whoever writes the numbers themselves does not go where they lead now.
      if (visits.numbers() != null && stop.isWrite() && stop.array().desc.equals("[I")) {
        EntryValues.load(stop.array(), code);
        loadNumbers(code);
        code.add(ranges("ifOther", "(I" + L_OBJECT + L_OBJECT + ")I"));
      }
    }
  }

  private void report(InsnList code, Stop stop, int site) {
    EntryValues.load(stop.array(), code);
    code.add(new VarInsnNode(Opcodes.ALOAD, route));
    code.add(RangeCode.push(stop.from()));
    code.add(RangeCode.push(stop.to()));
    code.add(RangeCode.push(stop.stride()));
    code.add(RangeCode.push(site));
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(
        hook(
            stop.isWrite() ? "writeThrough" : "readThrough",
            "(" + L_OBJECT + L_ROUTE + "IIII" + L_CONTEXT + ")V"));
  }
}
