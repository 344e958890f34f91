package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.HookCode;
import org.reprise.anomaly.agent.instrument.code.HookNames;
import org.reprise.anomaly.agent.instrument.code.Temporaries;
import org.reprise.anomaly.agent.instrument.loop.Increments;
import org.reprise.anomaly.agent.instrument.loop.Inspections.Inspection;
import org.reprise.anomaly.agent.instrument.loop.WaitLoop;
import org.reprise.anomaly.agent.instrument.loop.WaitLoops;
import org.reprise.anomaly.agent.instrument.parts.ArrayPart;
import org.reprise.anomaly.agent.instrument.parts.ArrayPartCode;
import org.reprise.anomaly.agent.instrument.parts.LoopBodies;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.LibraryCalls;
import org.reprise.anomaly.agent.instrument.program.OperandNames;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Site;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variable;
import org.reprise.anomaly.agent.instrument.program.Variables;
import org.reprise.anomaly.hooks.Hooks;

/** Puts checks before the accesses of one method, as its {@link MethodPlan} says. */
final class MethodChecks {
  private final ClassNode owner;
  private final MethodNode method;
  private final Sites sites;
  private final Variables variables;
  private final OperandNames names;
  private final CheckedFields fields;
  private final MethodPlan plan;

  /** What is checked once a call instead; null if there is no such thing. */
  private final @Nullable ArrayPart part;

  private final Explanation explanation;
  private final WaitLoops waitLoops;

  /** The class's fields for which its methods wait in locks. */
  private final Set<String> awaited;

  private final Increments increments;

  private final HookCode hooks;

  /** Holds the lock of a synchronized method. */
  private final int lock;

  private final WaitChecks waits;
  private final CallChecks calls;
  private int line;
  private boolean initialized;

  MethodChecks(
      ClassNode owner,
      MethodNode method,
      @Nullable ClassLoader loader,
      Sites sites,
      Variables variables,
      Hierarchy hierarchy,
      Scope scope,
      MethodPlan plan,
      @Nullable ArrayPart part,
      LoopBodies bodies,
      Set<String> awaited) {
    this.owner = owner;
    this.part = part;
    this.method = method;
    this.sites = sites;
    this.variables = variables;
    this.fields = new CheckedFields(owner, loader, hierarchy);
    this.plan = plan;
    this.explanation = new Explanation(owner.name, method.name);
    this.awaited = awaited;
    this.waitLoops = new WaitLoops(method, fields);
    this.increments = new Increments(method);
    this.names = OperandNames.of(owner.name, method);
    boolean isSynchronized = (method.access & Opcodes.ACC_SYNCHRONIZED) != 0;
    this.lock = isSynchronized ? plan.temporaries().newReference(Temporaries.OBJECT) : -1;
    this.hooks =
        new HookCode(
            owner.version, method.maxLocals, method.maxLocals + 1 + plan.temporaries().count());
    this.waits = new WaitChecks(method, hooks);
    this.calls =
        new CallChecks(
            owner,
            method,
            loader,
            hierarchy,
            scope,
            names,
            waitLoops,
            waits,
            hooks,
            this::site,
            bodies);
    this.initialized = !method.name.equals("<init>");
  }

  void insert() throws CannotInstrument {
    boolean isSynchronized = (method.access & Opcodes.ACC_SYNCHRONIZED) != 0;
    List<AbstractInsnNode> original = new ArrayList<>();
    method.instructions.forEach(original::add);
    // Names come from an analysis of the original instructions, so all are found before any
    // changes.
    List<Runnable> changes = new ArrayList<>();
    for (AbstractInsnNode instruction : original) {
      if (instruction instanceof LineNumberNode number) {
        line = number.line;
      }
      if (instruction.getOpcode() == Opcodes.JSR || instruction.getOpcode() == Opcodes.RET) {
        throw new CannotInstrument(owner.name + " has subroutines (class files before Java 6)");
      }
      visit(instruction, changes);
    }
    boolean initializes = method.name.equals("<clinit>");
    plan.visitLoops().forEach(loop -> explanation.visits(loop.called()));
    if (changes.isEmpty()
        && !isSynchronized
        && !initializes
        && part == null
        && plan.visitLoops().isEmpty()) {
      return;
    }
    changes.forEach(Runnable::run);
    plan.insert(method, hooks.context);
    if (isSynchronized) {
      around(monitorEnter(), this::monitorExit);
    } else if (initializes) {
      around(initialize(true), () -> initialize(false));
    }
    if (part != null) {
      explanation.checkedOnce();
      method.instructions.insert(ArrayPartCode.of(owner, part, hooks, sites));
    }
    declareContext();
    InsnList entry = hooks.entry();
    entry.add(plan.temporaries().initialization());
    method.instructions.insert(entry);
    method.maxLocals = hooks.locals();
  }

  /** What becomes of the method's accesses; complete after {@link #insert}. */
  Explanation explanation() {
    return explanation;
  }

  private void visit(AbstractInsnNode instruction, List<Runnable> changes) {
    switch (instruction.getOpcode()) {
      case Opcodes.IALOAD,
          Opcodes.LALOAD,
          Opcodes.FALOAD,
          Opcodes.DALOAD,
          Opcodes.AALOAD,
          Opcodes.BALOAD,
          Opcodes.CALOAD,
          Opcodes.SALOAD ->
          element(instruction, 1, changes, NONE);
      case Opcodes.IASTORE,
          Opcodes.FASTORE,
          Opcodes.AASTORE,
          Opcodes.BASTORE,
          Opcodes.CASTORE,
          Opcodes.SASTORE ->
          element(instruction, 2, changes, NARROW);
      case Opcodes.LASTORE, Opcodes.DASTORE -> element(instruction, 2, changes, WIDE);
      case Opcodes.GETFIELD, Opcodes.PUTFIELD, Opcodes.GETSTATIC, Opcodes.PUTSTATIC ->
          field((FieldInsnNode) instruction, changes);
      case Opcodes.MONITORENTER -> changes.add(() -> monitorEnter(instruction));
      case Opcodes.MONITOREXIT -> changes.add(() -> monitorExit(instruction));
      case Opcodes.INVOKEVIRTUAL,
          Opcodes.INVOKEINTERFACE,
          Opcodes.INVOKESPECIAL,
          Opcodes.INVOKESTATIC ->
          call((MethodInsnNode) instruction, changes);
      case Opcodes.INVOKEDYNAMIC -> calls.concatenate((InvokeDynamicInsnNode) instruction, changes);
      default -> {}
    }
  }

  private void element(
      AbstractInsnNode access, int depth, List<Runnable> changes, Shuffle shuffle) {
    String array = names.operand(access, depth);
    explanation.add(line, shuffle != NONE, array + "[*]", plan.explain(access));
    if (plan.isDropped(access)) {
      return;
    }
    int site = site(array, "");
    plan.number(access, 0, site);
    changes.add(() -> before(access, elementCheck(access, site, shuffle)));
  }

  /** How array and index come to the top of the stack and back under the value to be stored. */
  private record Shuffle(int under, int drop, int back) {}

  private static final Shuffle NONE = new Shuffle(Opcodes.NOP, Opcodes.NOP, Opcodes.NOP);
  private static final Shuffle NARROW = new Shuffle(Opcodes.DUP_X2, Opcodes.POP, Opcodes.DUP2_X1);
  private static final Shuffle WIDE = new Shuffle(Opcodes.DUP2_X2, Opcodes.POP2, Opcodes.DUP2_X2);

  private InsnList elementCheck(AbstractInsnNode access, int site, Shuffle shuffle) {
    Optional<InsnList> mark = plan.mark(access);
    if (mark.isPresent()) {
      return mark.get();
    }
    InsnList check = new InsnList();
    boolean isWrite = shuffle != NONE;
    if (isWrite) {
      check.add(new InsnNode(shuffle.under()));
      check.add(new InsnNode(shuffle.drop()));
    }
    check.add(new InsnNode(Opcodes.DUP2));
    InsnList taker = plan.taker(access);
    if (taker == null) {
      hooks.add(check, isWrite ? "writeElement" : "readElement", L_OBJECT + "I", site);
    } else {
      check.add(taker);
    }
    if (isWrite) {
      check.add(new InsnNode(shuffle.back()));
      check.add(new InsnNode(Opcodes.POP2));
    }
    return check;
  }

  private void field(FieldInsnNode access, List<Runnable> changes) {
    Optional<Variable> found = fields.variable(access);
    boolean isWrite =
        access.getOpcode() == Opcodes.PUTFIELD || access.getOpcode() == Opcodes.PUTSTATIC;
    if (found.isPresent()) {
      explanation.add(line, isWrite, found.get().text(), plan.explain(access));
    } else if (fields.isFinal(access)) {
      explanation.add(
          line,
          isWrite,
          OperandNames.shortName(access.owner) + "." + access.name,
          "dropped: the field is final");
    }
    WaitLoop loop = waitLoops.of(access);
    if (found.isPresent() && loop != null) {
      int variable = variables.number(found.get());
      int site = site(found.get().text(), "");
      changes.add(() -> waits.test(loop, variable, site));
      return;
    }
    if (found.isPresent() && found.get().isVolatile() && initialized) {
      volatileField(access, found.get(), isWrite, changes);
      return;
    }
    if (found.isEmpty() && LibraryCalls.isUnknown(access.owner) && !fields.isFinal(access)) {
      calls.libraryField(access, changes);
    }
    if (found.isEmpty() || (!initialized && !found.get().isStatic())) {
      return;
    }
    int number = variables.number(found.get());
    boolean isAwaited = isWrite && access.owner.equals(owner.name) && awaited.contains(access.name);
    if (isAwaited) {
      changes.add(() -> write(access, "write", number));
    }
    if (plan.isDropped(access)) {
      return;
    }
    int site = site(found.get().text(), "");
    if (increments.contains(access)) {
      sites.increments(site);
    }
    plan.number(access, number, site);
    changes.add(() -> before(access, fieldCheck(access, number, site)));
  }

  /** A volatile field: it may be waited for, and whoever writes it may be waited for. */
  private void volatileField(
      FieldInsnNode access, Variable field, boolean isWrite, List<Runnable> changes) {
    int number = variables.number(field);
    int site = site(field.text(), "");
    plan.number(access, number, site);
    if (!isWrite) {
      changes.add(() -> readVolatile(access, field.isStatic(), number, site));
      return;
    }
    if (!plan.isDropped(access)) {
      changes.add(() -> before(access, fieldCheck(access, number, site)));
    }
    changes.add(() -> write(access, "publish", number));
  }

  private void write(FieldInsnNode access, String hook, int variable) {
    InsnList code = new InsnList();
    waits.write(access, hook, variable, code);
    before(access, code);
  }

  /** After the read, which by then has seen a write or not. */
  private void readVolatile(FieldInsnNode access, boolean isStatic, int variable, int site) {
    InsnList after = new InsnList();
    if (isStatic) {
      after.add(new InsnNode(Opcodes.ACONST_NULL));
    } else {
      int object = hooks.local(1);
      InsnList before = new InsnList();
      before.add(new InsnNode(Opcodes.DUP));
      before.add(new VarInsnNode(Opcodes.ASTORE, object));
      before(access, before);
      after.add(new VarInsnNode(Opcodes.ALOAD, object));
    }
    hooks.add(after, "readVolatile", L_OBJECT, variable, site);
    method.instructions.insert(access, after);
  }

  private InsnList fieldCheck(FieldInsnNode access, int variable, int site) {
    Optional<InsnList> mark = plan.mark(access);
    if (mark.isPresent()) {
      return mark.get();
    }
    InsnList check = new InsnList();
    boolean wide = Type.getType(access.desc).getSize() == 2;
    InsnList taker = plan.taker(access);
    switch (access.getOpcode()) {
      case Opcodes.GETSTATIC -> take(check, taker, "readStatic", "", variable, site);
      case Opcodes.PUTSTATIC -> take(check, taker, "writeStatic", "", variable, site);
      case Opcodes.GETFIELD -> {
        int[] group = plan.group(access);
        if (taker != null) {
          check.add(new InsnNode(Opcodes.DUP));
          check.add(taker);
        } else if (group == null || group.length > 0) {
          int[] read = group == null ? new int[] {variable, site} : group;
          check.add(new InsnNode(Opcodes.DUP));
          check.add(readFields(access, Hooks.group(fields.topmost(access.owner).orElse(""), read)));
        }
      }
      default -> {
        check.add(new InsnNode(wide ? Opcodes.DUP2_X1 : Opcodes.DUP2));
        check.add(new InsnNode(wide ? Opcodes.POP2 : Opcodes.POP));
        if (wide) {
          check.add(new InsnNode(Opcodes.DUP));
        }
        take(check, taker, "writeField", L_OBJECT, variable, site);
        if (wide) {
          check.add(new InsnNode(Opcodes.DUP_X2));
          check.add(new InsnNode(Opcodes.POP));
        }
      }
    }
    return check;
  }

  private InsnList readFields(FieldInsnNode access, int group) {
    InsnList check = new InsnList();
    check.add(hooks.shadowPlace(access.owner));
    Inspection asked = plan.inspection(access).orElse(null);
    if (asked == null) {
      hooks.add(check, "readFields", L_OBJECT + HookNames.L_PLACE, group);
    } else {
      asked.number(group);
      check.add(new VarInsnNode(Opcodes.ILOAD, asked.answer));
      hooks.add(check, "readFieldsUnless", L_OBJECT + HookNames.L_PLACE + "I", group);
    }
    return check;
  }

  private void take(
      InsnList check,
      @Nullable InsnList taker,
      String hook,
      String operands,
      int variable,
      int site) {
    if (taker == null) {
      hooks.add(check, hook, operands, variable, site);
    } else {
      check.add(taker);
    }
  }

  private void call(MethodInsnNode call, List<Runnable> changes) {
    initialized |= call.name.equals("<init>") && isOwnConstructor(call);
    calls.visit(call, changes);
  }

  /** Whether this is the constructor's call of super(...) or this(...), rather than of new. */
  private boolean isOwnConstructor(MethodInsnNode call) {
    return names.operand(call, Type.getArgumentTypes(call.desc).length).equals("this");
  }

  private void monitorEnter(AbstractInsnNode instruction) {
    method.instructions.insertBefore(instruction, new InsnNode(Opcodes.DUP));
    InsnList after = new InsnList();
    hooks.add(after, "enter", L_OBJECT);
    method.instructions.insert(instruction, after);
  }

  private void monitorExit(AbstractInsnNode instruction) {
    InsnList check = new InsnList();
    check.add(new InsnNode(Opcodes.DUP));
    hooks.add(check, "exit", L_OBJECT);
    before(instruction, check);
  }

  /** Puts one thing before the first instruction and another wherever the method ends. */
  private void around(InsnList before, Supplier<InsnList> after) {
    LabelNode start = new LabelNode();
    LabelNode end = new LabelNode();
    for (AbstractInsnNode instruction : method.instructions.toArray()) {
      int opcode = instruction.getOpcode();
      if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        before(instruction, after.get());
      }
    }
    before.add(start);
    method.instructions.insert(before);
    InsnList handler = new InsnList();
    handler.add(end);
    List<Object> types = new ArrayList<>();
    for (int i = 0; i < hooks.context; i++) {
      types.add(Opcodes.TOP);
    }
    handler.add(
        new FrameNode(
            Opcodes.F_NEW, types.size(), types.toArray(), 1, new Object[] {"java/lang/Throwable"}));
    handler.add(after.get());
    handler.add(new InsnNode(Opcodes.ATHROW));
    method.instructions.add(handler);
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
  }

  private InsnList initialize(boolean begins) {
    InsnList code = new InsnList();
    code.add(new InsnNode(begins ? Opcodes.ICONST_1 : Opcodes.ICONST_0));
    hooks.add(code, "initialize", "Z");
    return code;
  }

  /** The lock of a synchronized method is kept: handlers know nothing of its own variables. */
  private InsnList monitorEnter() {
    InsnList code = new InsnList();
    if ((method.access & Opcodes.ACC_STATIC) != 0) {
      code.add(new LdcInsnNode(Type.getObjectType(owner.name)));
    } else {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    }
    code.add(new InsnNode(Opcodes.DUP));
    code.add(new VarInsnNode(Opcodes.ASTORE, lock));
    hooks.add(code, "enter", L_OBJECT);
    return code;
  }

  private InsnList monitorExit() {
    InsnList code = new InsnList();
    code.add(new VarInsnNode(Opcodes.ALOAD, lock));
    hooks.add(code, "exit", L_OBJECT);
    return code;
  }

  /** Every frame of the method learns of the local variables that were added. */
  private void declareContext() {
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction instanceof FrameNode frame) {
        List<Object> types = new ArrayList<>(frame.local);
        int slots = 0;
        for (Object type : types) {
          slots += type == Opcodes.LONG || type == Opcodes.DOUBLE ? 2 : 1;
        }
        for (; slots < hooks.context; slots++) {
          types.add(Opcodes.TOP);
        }
        types.add(HookNames.CONTEXT);
        types.addAll(plan.temporaries().types());
        frame.local = types;
      }
    }
  }

  private int site(String variable, String call) {
    return sites.add(Site.of(owner, method, line, variable, call));
  }

  private void before(AbstractInsnNode instruction, InsnList check) {
    method.instructions.insertBefore(instruction, check);
  }
}
