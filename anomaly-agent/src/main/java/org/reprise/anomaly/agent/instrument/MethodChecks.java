package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.ArrayCalls.WHOLE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.hooks.Detector;
import org.reprise.anomaly.hooks.Hooks;

/** Puts checks before the accesses of one method, as its {@link MethodPlan} says. */
final class MethodChecks {
  private static final String HOOKS = "org/reprise/anomaly/hooks/Hooks";
  private static final String CONTEXT = "org/reprise/anomaly/hooks/Context";
  private static final String L_CONTEXT = "L" + CONTEXT + ";";
  private static final String OBJECT = "Ljava/lang/Object;";

  private final ClassNode owner;
  private final MethodNode method;
  private final @Nullable ClassLoader loader;
  private final Sites sites;
  private final Variables variables;
  private final Hierarchy hierarchy;
  private final Scope scope;
  private final OperandNames names;
  private final CheckedFields fields;
  private final MethodPlan plan;
  private final Explanation explanation;
  private final Spins spins;

  /** The local variable that holds the context. */
  private final int context;

  private int locals;
  private int line;
  private boolean inserted;
  private boolean initialized;

  MethodChecks(
      ClassNode owner,
      MethodNode method,
      @Nullable ClassLoader loader,
      Sites sites,
      Variables variables,
      Hierarchy hierarchy,
      Scope scope,
      MethodPlan plan) {
    this.owner = owner;
    this.method = method;
    this.loader = loader;
    this.sites = sites;
    this.variables = variables;
    this.hierarchy = hierarchy;
    this.scope = scope;
    this.fields = new CheckedFields(owner, loader, hierarchy);
    this.plan = plan;
    this.explanation = new Explanation(owner.name, method.name);
    this.spins =
        new Spins(
            method, access -> fields.variable(access).filter(Variable::isVolatile).isPresent());
    this.names = OperandNames.of(owner.name, method);
    this.context = method.maxLocals;
    this.locals = method.maxLocals + 1 + plan.temporaries().count();
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
    if (changes.isEmpty() && !isSynchronized && !initializes) {
      return;
    }
    changes.forEach(Runnable::run);
    plan.insert(method);
    if (isSynchronized) {
      around(monitor("enter"), () -> monitor("exit"));
    } else if (initializes) {
      around(initialize(true), () -> initialize(false));
    }
    declareContext();
    InsnList entry = new InsnList();
    entry.add(hook("context", "()" + L_CONTEXT));
    entry.add(new VarInsnNode(Opcodes.ASTORE, context));
    entry.add(plan.temporaries().initialization());
    method.instructions.insert(entry);
    method.maxLocals = locals;
    inserted = true;
  }

  /** What becomes of the method's accesses; complete after {@link #insert}. */
  Explanation explanation() {
    return explanation;
  }

  boolean isChanged() {
    return inserted;
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
    InsnList check = new InsnList();
    boolean isWrite = shuffle != NONE;
    if (isWrite) {
      check.add(new InsnNode(shuffle.under()));
      check.add(new InsnNode(shuffle.drop()));
    }
    check.add(new InsnNode(Opcodes.DUP2));
    InsnList taker = plan.taker(access);
    if (taker == null) {
      addHook(check, isWrite ? "writeElement" : "readElement", OBJECT + "I", site);
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
    if (found.isPresent() && found.get().isVolatile() && initialized) {
      volatileField(access, found.get(), isWrite, changes);
      return;
    }
    if (found.isEmpty() || (!initialized && !found.get().isStatic()) || plan.isDropped(access)) {
      return;
    }
    int number = variables.number(found.get());
    int site = site(found.get().text(), "");
    plan.number(access, number, site);
    changes.add(() -> before(access, fieldCheck(access, number, site)));
  }

  /** A volatile field: it may be waited for, and whoever writes it may be waited for. */
  private void volatileField(
      FieldInsnNode access, Variable field, boolean isWrite, List<Runnable> changes) {
    int number = variables.number(field);
    int site = site(field.text(), "");
    if (!isWrite && spins.contains(access)) {
      changes.add(() -> before(access, spin(field.isStatic(), number, site)));
      return;
    }
    plan.number(access, number, site);
    changes.add(
        () -> {
          InsnList check =
              plan.isDropped(access) ? new InsnList() : fieldCheck(access, number, site);
          if (isWrite) {
            publish(access, field.isStatic(), number, check);
          }
          before(access, check);
        });
  }

  private InsnList spin(boolean isStatic, int variable, int site) {
    InsnList code = new InsnList();
    code.add(new InsnNode(isStatic ? Opcodes.ACONST_NULL : Opcodes.DUP));
    addVariableHook(code, "spin", OBJECT, variable, site);
    return code;
  }

  private void publish(FieldInsnNode access, boolean isStatic, int variable, InsnList code) {
    boolean wide = Type.getType(access.desc).getSize() == 2;
    int value = locals;
    if (isStatic) {
      code.add(new InsnNode(Opcodes.ACONST_NULL));
    } else {
      locals += wide ? 2 : 1;
      code.add(new VarInsnNode(Type.getType(access.desc).getOpcode(Opcodes.ISTORE), value));
      code.add(new InsnNode(Opcodes.DUP));
    }
    code.add(new LdcInsnNode(variable));
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook("publish", "(" + OBJECT + "I" + L_CONTEXT + ")V"));
    if (!isStatic) {
      code.add(new VarInsnNode(Type.getType(access.desc).getOpcode(Opcodes.ILOAD), value));
    }
  }

  private InsnList fieldCheck(FieldInsnNode access, int variable, int site) {
    InsnList check = new InsnList();
    boolean wide = Type.getType(access.desc).getSize() == 2;
    InsnList taker = plan.taker(access);
    switch (access.getOpcode()) {
      case Opcodes.GETSTATIC -> take(check, taker, "readStatic", "", variable, site);
      case Opcodes.PUTSTATIC -> take(check, taker, "writeStatic", "", variable, site);
      case Opcodes.GETFIELD -> {
        int[] group = plan.group(access);
        if (group != null) {
          if (group.length > 0) {
            check.add(new InsnNode(Opcodes.DUP));
            addHook(check, "readFields", OBJECT, Hooks.group(group));
          }
          return check;
        }
        check.add(new InsnNode(Opcodes.DUP));
        take(check, taker, "readField", OBJECT, variable, site);
      }
      default -> {
        check.add(new InsnNode(wide ? Opcodes.DUP2_X1 : Opcodes.DUP2));
        check.add(new InsnNode(wide ? Opcodes.POP2 : Opcodes.POP));
        if (wide) {
          check.add(new InsnNode(Opcodes.DUP));
        }
        take(check, taker, "writeField", OBJECT, variable, site);
        if (wide) {
          check.add(new InsnNode(Opcodes.DUP_X2));
          check.add(new InsnNode(Opcodes.POP));
        }
      }
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
      addVariableHook(check, hook, operands, variable, site);
    } else {
      check.add(taker);
    }
  }

  private void call(MethodInsnNode call, List<Runnable> changes) {
    if (call.name.equals("<init>")) {
      initialized |= isOwnConstructor(call);
    }
    Hazards.of(call, loader, hierarchy, scope)
        .ifPresent(
            text -> {
              int site = site(text, key(call));
              changes.add(() -> before(call, hazard(site)));
            });
    if (call.owner.startsWith("[") && call.name.equals("clone")) {
      int site = site(names.operand(call, 0), key(call));
      changes.add(() -> before(call, clonedArray(site)));
      return;
    }
    List<ArrayCalls.Range> ranges = ArrayCalls.of(call.owner, call.name, call.desc);
    if (call.getOpcode() == Opcodes.INVOKESTATIC && !ranges.isEmpty()) {
      arrayCall(call, ranges, changes);
      return;
    }
    Optional<Reductions.Fault> fault = Reductions.of(call, owner);
    if (fault.isPresent()) {
      int site =
          site(
              "the result of " + OperandNames.shortName(call.owner) + "." + call.name + "()",
              key(call) + ":" + fault.get());
      changes.add(() -> reduce(call, site));
      return;
    }
    if (ArrayCalls.generates(call)) {
      int site = site(names.operand(call, 1), key(call));
      changes.add(() -> generate(call, site));
      return;
    }
    if (LibraryCalls.wraps(call)) {
      int site = site(names.operand(call, 0), key(call));
      changes.add(() -> wrap(call, site));
      return;
    }
    if (spins.contains(call)) {
      int site = site(names.operand(call, 0), key(call) + ":used");
      changes.add(() -> before(call, spin(false, Detector.ATOMIC_VALUE, site)));
      return;
    }
    if (LibraryCalls.isReported(call, loader, hierarchy)) {
      int site =
          site(
              names.operand(call, Type.getArgumentTypes(call.desc).length),
              key(call) + LibraryCalls.use(call));
      changes.add(() -> libraryCall(call, site));
    }
  }

  /** Whether this is the constructor's call of super(...) or this(...), rather than of new. */
  private boolean isOwnConstructor(MethodInsnNode call) {
    return names.operand(call, Type.getArgumentTypes(call.desc).length).equals("this");
  }

  private static String key(MethodInsnNode call) {
    return call.owner + "." + call.name;
  }

  private void arrayCall(
      MethodInsnNode call, List<ArrayCalls.Range> ranges, List<Runnable> changes) {
    int arguments = Type.getArgumentTypes(call.desc).length;
    List<Integer> rangeSites = new ArrayList<>();
    for (ArrayCalls.Range range : ranges) {
      rangeSites.add(site(names.operand(call, arguments - 1 - range.array()), key(call)));
    }
    changes.add(
        () -> {
          InsnList check = new InsnList();
          int[] saved = save(call, check);
          for (int i = 0; i < ranges.size(); i++) {
            range(ranges.get(i), rangeSites.get(i), saved, check);
          }
          restore(call, saved, check);
          before(call, check);
        });
  }

  private void range(ArrayCalls.Range range, int site, int[] saved, InsnList check) {
    check.add(new VarInsnNode(Opcodes.ALOAD, saved[range.array()]));
    if (range.to() == WHOLE) {
      addHook(check, range.isWrite() ? "writeAll" : "readAll", OBJECT, site);
      return;
    }
    if (range.from() == WHOLE) {
      check.add(new InsnNode(Opcodes.ICONST_0));
    } else {
      check.add(new VarInsnNode(Opcodes.ILOAD, saved[range.from()]));
    }
    check.add(new VarInsnNode(Opcodes.ILOAD, saved[range.to()]));
    if (range.isLength()) {
      check.add(new VarInsnNode(Opcodes.ILOAD, saved[range.from()]));
      check.add(new InsnNode(Opcodes.IADD));
    }
    check.add(new InsnNode(Opcodes.ICONST_1));
    addHook(check, range.isWrite() ? "writeRange" : "readRange", OBJECT + "III", site);
  }

  /** Stores the arguments of a call, last first, in locals of their own. */
  private int[] save(MethodInsnNode call, InsnList code) {
    Type[] types = Type.getArgumentTypes(call.desc);
    int[] saved = new int[types.length];
    for (int i = types.length - 1; i >= 0; i--) {
      saved[i] = locals;
      locals += types[i].getSize();
      code.add(new VarInsnNode(types[i].getOpcode(Opcodes.ISTORE), saved[i]));
    }
    return saved;
  }

  private static void restore(MethodInsnNode call, int[] saved, InsnList code) {
    Type[] types = Type.getArgumentTypes(call.desc);
    for (int i = 0; i < types.length; i++) {
      code.add(new VarInsnNode(types[i].getOpcode(Opcodes.ILOAD), saved[i]));
    }
  }

  private void libraryCall(MethodInsnNode call, int site) {
    InsnList check = new InsnList();
    int[] saved = save(call, check);
    int receiver = locals++;
    check.add(new InsnNode(Opcodes.DUP));
    check.add(new InsnNode(Opcodes.DUP));
    check.add(new VarInsnNode(Opcodes.ASTORE, receiver));
    Type[] types = Type.getArgumentTypes(call.desc);
    int sort = types.length == 0 ? Type.VOID : types[0].getSort();
    if (sort == Type.INT) {
      check.add(new VarInsnNode(Opcodes.ILOAD, saved[0]));
      addHook(check, "callPart", OBJECT + "I", site);
    } else if (sort == Type.OBJECT) {
      check.add(new VarInsnNode(Opcodes.ALOAD, saved[0]));
      addHook(check, "callPart", OBJECT + OBJECT, site);
    } else {
      addHook(check, "call", OBJECT, site);
    }
    if (LibraryCalls.givesLock(call)) {
      check.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      check.add(new VarInsnNode(Opcodes.ALOAD, context));
      check.add(hook("exit", "(" + OBJECT + L_CONTEXT + ")V"));
    }
    restore(call, saved, check);
    before(call, check);
    InsnList after = new InsnList();
    if (LibraryCalls.takesLock(call)) {
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      after.add(new VarInsnNode(Opcodes.ALOAD, context));
      after.add(hook("enter", "(" + OBJECT + L_CONTEXT + ")V"));
    } else if (LibraryCalls.triesLock(call)) {
      after.add(new InsnNode(Opcodes.DUP));
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      after.add(new VarInsnNode(Opcodes.ALOAD, context));
      after.add(hook("tried", "(Z" + OBJECT + L_CONTEXT + ")V"));
    } else if (LibraryCalls.takes(call)) {
      after.add(new InsnNode(Opcodes.DUP));
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      addHook(after, "took", OBJECT + OBJECT, site);
    } else if (LibraryCalls.returnsView(call)) {
      after.add(new InsnNode(Opcodes.DUP));
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      addHook(after, "view", OBJECT + OBJECT, site);
    }
    method.instructions.insert(call, after);
  }

  private void reduce(MethodInsnNode call, int site) {
    InsnList code = new InsnList();
    int[] saved = save(call, code);
    code.add(new InsnNode(Opcodes.DUP));
    addHook(code, "reduce", OBJECT, site);
    restore(call, saved, code);
    before(call, code);
  }

  /** The function that computes elements says, too, that they are written. */
  private void generate(MethodInsnNode call, int site) {
    InsnList code = new InsnList();
    String function = Type.getArgumentTypes(call.desc)[1].getDescriptor();
    int[] saved = save(call, code);
    code.add(new VarInsnNode(Opcodes.ALOAD, saved[0]));
    code.add(new InsnNode(Opcodes.DUP));
    code.add(new VarInsnNode(Opcodes.ALOAD, saved[1]));
    code.add(new LdcInsnNode(site));
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC,
            "org/reprise/anomaly/hooks/Generators",
            "writing",
            "(" + OBJECT + function + "I)" + function,
            false));
    before(call, code);
  }

  private void wrap(MethodInsnNode call, int site) {
    int argument = locals++;
    InsnList saving = new InsnList();
    saving.add(new InsnNode(Opcodes.DUP));
    saving.add(new VarInsnNode(Opcodes.ASTORE, argument));
    before(call, saving);
    InsnList after = new InsnList();
    after.add(new InsnNode(Opcodes.DUP));
    after.add(new VarInsnNode(Opcodes.ALOAD, argument));
    addHook(after, "view", OBJECT + OBJECT, site);
    method.instructions.insert(call, after);
  }

  private InsnList clonedArray(int site) {
    InsnList check = new InsnList();
    check.add(new InsnNode(Opcodes.DUP));
    addHook(check, "readAll", OBJECT, site);
    return check;
  }

  private InsnList hazard(int site) {
    InsnList check = new InsnList();
    addHook(check, "hazard", "", site);
    return check;
  }

  private void monitorEnter(AbstractInsnNode instruction) {
    method.instructions.insertBefore(instruction, new InsnNode(Opcodes.DUP));
    InsnList after = new InsnList();
    after.add(new VarInsnNode(Opcodes.ALOAD, context));
    after.add(hook("enter", "(" + OBJECT + L_CONTEXT + ")V"));
    method.instructions.insert(instruction, after);
  }

  private void monitorExit(AbstractInsnNode instruction) {
    InsnList check = new InsnList();
    check.add(new InsnNode(Opcodes.DUP));
    check.add(new VarInsnNode(Opcodes.ALOAD, context));
    check.add(hook("exit", "(" + OBJECT + L_CONTEXT + ")V"));
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
    for (int i = 0; i < context; i++) {
      types.add(Opcodes.TOP);
    }
    boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    if (!isStatic && context > 0) {
      types.set(0, owner.name);
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
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook("initialize", "(Z" + L_CONTEXT + ")V"));
    return code;
  }

  private InsnList monitor(String hook) {
    InsnList code = new InsnList();
    if ((method.access & Opcodes.ACC_STATIC) != 0) {
      code.add(new LdcInsnNode(Type.getObjectType(owner.name)));
    } else {
      code.add(new VarInsnNode(Opcodes.ALOAD, 0));
    }
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook(hook, "(" + OBJECT + L_CONTEXT + ")V"));
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
        for (; slots < context; slots++) {
          types.add(Opcodes.TOP);
        }
        types.add(CONTEXT);
        types.addAll(plan.temporaries().types());
        frame.local = types;
      }
    }
  }

  private int site(String variable, String call) {
    String file = owner.sourceFile == null ? owner.name.replace('/', '.') : owner.sourceFile;
    return sites.add(
        new Site(owner.name.replace('/', '.'), method.name, file, line, variable, call));
  }

  private void before(AbstractInsnNode instruction, InsnList check) {
    method.instructions.insertBefore(instruction, check);
  }

  private void addHook(InsnList code, String name, String operands, int site) {
    code.add(new LdcInsnNode(site));
    code.add(new VarInsnNode(Opcodes.ALOAD, context));
    code.add(hook(name, "(" + operands + "I" + L_CONTEXT + ")V"));
  }

  private void addVariableHook(
      InsnList code, String name, String operands, int variable, int site) {
    code.add(new LdcInsnNode(variable));
    addHook(code, name, operands + "I", site);
  }

  private static MethodInsnNode hook(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, HOOKS, name, descriptor, false);
  }
}
