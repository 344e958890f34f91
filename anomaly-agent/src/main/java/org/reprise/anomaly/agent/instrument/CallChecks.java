package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.ArrayCalls.DEEP;
import static org.reprise.anomaly.agent.instrument.ArrayCalls.NEXT;
import static org.reprise.anomaly.agent.instrument.ArrayCalls.WHOLE;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_COLLECTION;
import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.HookCode;
import org.reprise.anomaly.agent.instrument.code.HookNames;
import org.reprise.anomaly.agent.instrument.loop.Reductions;
import org.reprise.anomaly.agent.instrument.loop.WaitLoop;
import org.reprise.anomaly.agent.instrument.loop.WaitLoops;
import org.reprise.anomaly.agent.instrument.parts.LoopBodies;
import org.reprise.anomaly.agent.instrument.program.Hazards;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.LibraryCalls;
import org.reprise.anomaly.agent.instrument.program.OperandNames;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.hooks.Detector;

/** The calls of one method that access what is checked: arrays, collections, locks, streams. */
final class CallChecks {
  /** Numbers a place of the program, at the line that the method is at. */
  @FunctionalInterface
  interface Places {
    int number(String variable, String call);
  }

  private static final String WAITS_ONCE =
      "a wait in a lock, not in a loop: who wakes it up may come before";

  private static final String ADDRESS_IN_TEXT =
      "the text of an object without toString(), which depends on addresses";

  private final ClassNode owner;
  private final MethodNode method;
  private final @Nullable ClassLoader loader;
  private final Hierarchy hierarchy;
  private final Scope scope;
  private final OperandNames names;
  private final WaitLoops waitLoops;
  private final WaitChecks waits;
  private final HookCode hooks;
  private final Places sites;
  private final LoopBodies bodies;
  private final FileChecks files;

  CallChecks(
      ClassNode owner,
      MethodNode method,
      @Nullable ClassLoader loader,
      Hierarchy hierarchy,
      Scope scope,
      OperandNames names,
      WaitLoops waitLoops,
      WaitChecks waits,
      HookCode hooks,
      Places sites,
      LoopBodies bodies) {
    this.owner = owner;
    this.method = method;
    this.loader = loader;
    this.hierarchy = hierarchy;
    this.scope = scope;
    this.names = names;
    this.waitLoops = waitLoops;
    this.waits = waits;
    this.hooks = hooks;
    this.sites = sites;
    this.bodies = bodies;
    this.files = new FileChecks(method, names, hooks, sites);
  }

  /** Adds what is to be done at the call, if anything. */
  void visit(MethodInsnNode call, List<Runnable> changes) {
    Hazards.of(call, loader, hierarchy, scope)
        .ifPresent(
            hazard -> {
              int site = sites.number(hazard.text(), key(call));
              changes.add(
                  () -> before(call, isHash(call) ? hash(site) : hazard(hazard.reach(), site)));
            });
    if (LibraryCalls.makesText(call)) {
      int site = sites.number(ADDRESS_IN_TEXT, key(call));
      changes.add(() -> before(call, text(site)));
    }
    if (call.owner.startsWith("[") && call.name.equals("clone")) {
      int site = sites.number(names.operand(call, 0), key(call));
      changes.add(() -> before(call, clonedArray(site)));
      return;
    }
    List<ArrayCalls.Range> ranges = ArrayCalls.of(call);
    if (!ranges.isEmpty()) {
      arrayCall(call, ranges, changes);
    }
    if (LibraryCalls.endsStream(call)) {
      int site = sites.number("", key(call));
      changes.add(() -> endOfStream(call, site));
    }
    Optional<Reductions.Fault> fault = Reductions.of(call, owner);
    if (fault.isPresent()) {
      int site =
          sites.number(
              "the result of " + OperandNames.shortName(call.owner) + "." + call.name + "()",
              key(call) + ":" + fault.get());
      changes.add(() -> atReceiver(call, "reduce", site));
      return;
    }
    if (ArrayCalls.generates(call)) {
      int site = sites.number(names.operand(call, 1), key(call));
      changes.add(() -> generate(call, site));
      return;
    }
    files.visit(call, changes);
    if (LibraryCalls.isOnCollection(call)) {
      collectionCall(call, changes);
      return;
    }
    if (LibraryCalls.wraps(call)) {
      int site = sites.number(names.operand(call, 0), key(call));
      changes.add(() -> wrap(call, site));
      return;
    }
    WaitLoop loop = waitLoops.of(call);
    if (loop != null) {
      int site = sites.number(names.operand(call, 0), key(call) + ":used");
      changes.add(() -> waits.test(loop, Detector.ATOMIC_VALUE, site));
      return;
    }
    if (LibraryCalls.wakesAll(call)) {
      changes.add(() -> waits.wakeAll(call));
    }
    if (LibraryCalls.isOrderedPastChecks(call)) {
      changes.add(() -> handOver(call));
    }
    if (LibraryCalls.isOfThread(call)) {
      changes.add(() -> confine(call));
    }
    if (LibraryCalls.waitsInLock(call)) {
      if (!waitLoops.mayLookAgain(call)) {
        int site = sites.number(WAITS_ONCE, key(call));
        changes.add(() -> before(call, hazard(Hazards.Reach.BESIDE_BLOCKS, site)));
      }
      changes.add(() -> waitInLock(call));
    }
    if (LibraryCalls.isReported(call, loader, hierarchy)) {
      int site =
          sites.number(
              names.operand(call, Type.getArgumentTypes(call.desc).length),
              key(call) + LibraryCalls.use(call));
      changes.add(() -> libraryCall(call, site));
      LibraryCalls.boundFunction(call).ifPresent(function -> changes.add(() -> bind(function)));
    }
  }

  private static String key(MethodInsnNode call) {
    return call.owner + "." + call.name;
  }

  private void arrayCall(
      MethodInsnNode call, List<ArrayCalls.Range> ranges, List<Runnable> changes) {
    int arguments = Type.getArgumentTypes(call.desc).length;
    List<Integer> rangeSites = new ArrayList<>();
    for (ArrayCalls.Range range : ranges) {
      String array = names.operand(call, arguments - 1 - range.array());
      rangeSites.add(sites.number(range.to() == DEEP ? array + "[*]" : array, key(call)));
    }
    changes.add(
        () -> {
          InsnList check = new InsnList();
          int[] saved = hooks.save(call, check);
          for (int i = 0; i < ranges.size(); i++) {
            range(ranges.get(i), rangeSites.get(i), saved, check);
          }
          HookCode.restore(call, saved, check);
          before(call, check);
        });
  }

  private void range(ArrayCalls.Range range, int site, int[] saved, InsnList check) {
    check.add(new VarInsnNode(Opcodes.ALOAD, saved[range.array()]));
    if (range.to() == WHOLE) {
      hooks.add(check, range.isWrite() ? "writeAll" : "readAll", L_OBJECT, site);
      return;
    }
    if (range.to() == DEEP) {
      hooks.add(check, "readDeep", L_OBJECT, site);
      return;
    }
    if (range.from() == WHOLE) {
      check.add(new InsnNode(Opcodes.ICONST_0));
    } else {
      check.add(new VarInsnNode(Opcodes.ILOAD, saved[range.from()]));
    }
    boolean isOne = range.to() == NEXT;
    check.add(
        isOne ? new InsnNode(Opcodes.ICONST_1) : new VarInsnNode(Opcodes.ILOAD, saved[range.to()]));
    if (isOne || range.isLength()) {
      check.add(new VarInsnNode(Opcodes.ILOAD, saved[range.from()]));
      check.add(new InsnNode(Opcodes.IADD));
    }
    if (range.less() >= 0) {
      check.add(new VarInsnNode(Opcodes.ILOAD, saved[range.less()]));
      check.add(new InsnNode(Opcodes.ISUB));
    }
    check.add(new InsnNode(Opcodes.ICONST_1));
    hooks.add(check, range.isWrite() ? "writeRange" : "readRange", L_OBJECT + "III", site);
  }

  /** A static method that does to its first argument what a method of that might do. */
  private void collectionCall(MethodInsnNode call, List<Runnable> changes) {
    int arguments = Type.getArgumentTypes(call.desc).length;
    int site = sites.number(names.operand(call, arguments - 1), key(call) + LibraryCalls.use(call));
    changes.add(
        () -> {
          InsnList check = new InsnList();
          int[] saved = hooks.save(call, check);
          check.add(new VarInsnNode(Opcodes.ALOAD, saved[0]));
          hooks.add(check, "call", L_OBJECT, site);
          HookCode.restore(call, saved, check);
          before(call, check);
        });
  }

  private void libraryCall(MethodInsnNode call, int site) {
    InsnList check = new InsnList();
    int[] saved = hooks.save(call, check);
    int receiver = hooks.local(1);
    check.add(new InsnNode(Opcodes.DUP));
    check.add(new InsnNode(Opcodes.DUP));
    check.add(new VarInsnNode(Opcodes.ASTORE, receiver));
    Type[] types = Type.getArgumentTypes(call.desc);
    int sort = types.length == 0 ? Type.VOID : types[0].getSort();
    if (sort == Type.INT) {
      check.add(new VarInsnNode(Opcodes.ILOAD, saved[0]));
      hooks.add(check, "callPart", L_OBJECT + "I", site);
    } else if (sort == Type.OBJECT) {
      check.add(new VarInsnNode(Opcodes.ALOAD, saved[0]));
      hooks.add(check, "callPart", L_OBJECT + L_OBJECT, site);
    } else {
      hooks.add(check, "call", L_OBJECT, site);
    }
    if (LibraryCalls.takesFunction(call.name) && LibraryCalls.maySynchronise(call)) {
      int last = types.length - 1;
      if (last >= 0 && types[last].getSort() == Type.OBJECT) {
        check.add(new VarInsnNode(Opcodes.ALOAD, receiver));
        check.add(new VarInsnNode(Opcodes.ALOAD, saved[last]));
        hooks.add(check, "gives", L_OBJECT + L_OBJECT);
      }
    }
    if (LibraryCalls.givesLock(call)) {
      check.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      hooks.add(check, "exit", L_OBJECT);
    }
    if (LibraryCalls.givesShared(call)) {
      readSide(receiver, site, check);
      hooks.add(check, "exit", L_OBJECT);
    }
    if (LibraryCalls.drains(call)) {
      check.add(new VarInsnNode(Opcodes.ALOAD, saved[0]));
      check.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      hooks.ask(check, "drain", L_COLLECTION + L_OBJECT, L_COLLECTION);
      check.add(new VarInsnNode(Opcodes.ASTORE, saved[0]));
    }
    HookCode.restore(call, saved, check);
    before(call, check);
    InsnList after = new InsnList();
    if (LibraryCalls.takesLock(call)) {
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      hooks.add(after, "enter", L_OBJECT);
    } else if (LibraryCalls.takesShared(call)) {
      readSide(receiver, site, after);
      hooks.add(after, "enter", L_OBJECT);
    } else if (LibraryCalls.triesLock(call)) {
      if (call.desc.endsWith("J")) {
        after.add(new InsnNode(Opcodes.DUP2));
        after.add(new InsnNode(Opcodes.LCONST_0));
        after.add(new InsnNode(Opcodes.LCMP));
      } else {
        after.add(new InsnNode(Opcodes.DUP));
      }
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      hooks.add(after, "tried", "Z" + L_OBJECT);
    } else if (LibraryCalls.takes(call)) {
      after.add(new InsnNode(Opcodes.DUP));
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      hooks.add(after, "took", L_OBJECT + L_OBJECT, site);
    } else if (LibraryCalls.removes(call)) {
      after.add(new InsnNode(Opcodes.DUP));
      after.add(new VarInsnNode(Opcodes.ALOAD, saved[0]));
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      hooks.add(after, "removed", "Z" + L_OBJECT + L_OBJECT, site);
    } else if (LibraryCalls.puts(call)) {
      after.add(new InsnNode(call.desc.endsWith("Z") ? Opcodes.DUP : Opcodes.ICONST_1));
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      hooks.add(after, "put", "Z" + L_OBJECT);
    } else if (LibraryCalls.returnsView(call)) {
      after.add(new InsnNode(Opcodes.DUP));
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      hooks.add(after, "view", L_OBJECT + L_OBJECT, site);
    }
    if (LibraryCalls.maySynchronise(call)) {
      after.add(new VarInsnNode(Opcodes.ALOAD, receiver));
      if (sort == Type.INT) {
        after.add(new VarInsnNode(Opcodes.ILOAD, saved[0]));
        hooks.add(after, "called", L_OBJECT + "I", site);
      } else {
        after.add(
            sort == Type.OBJECT
                ? new VarInsnNode(Opcodes.ALOAD, saved[0])
                : new InsnNode(Opcodes.ACONST_NULL));
        hooks.add(after, "called", L_OBJECT + L_OBJECT, site);
      }
    }
    method.instructions.insert(call, after);
  }

  /** The object whose function is about to be handed over, on the operand stack, is remembered. */
  private void bind(AbstractInsnNode function) {
    InsnList code = new InsnList();
    code.add(new InsnNode(Opcodes.DUP));
    hooks.add(code, "binds", L_OBJECT);
    method.instructions.insertBefore(function, code);
  }

  /** Loads the read side of a lock that hands out numbers. */
  private void readSide(int lock, int site, InsnList code) {
    code.add(new VarInsnNode(Opcodes.ALOAD, lock));
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKEVIRTUAL,
            LibraryCalls.STAMPED,
            "asReadLock",
            "()Ljava/util/concurrent/locks/Lock;",
            false));
    code.add(new InsnNode(Opcodes.DUP));
    code.add(new VarInsnNode(Opcodes.ALOAD, lock));
    hooks.add(code, "view", L_OBJECT + L_OBJECT, site);
  }

  /**
   * Who reads after this is after who wrote: by way of the same handle, or of the object that an
   * unsafe access names; a fence has neither.
   */
  private void handOver(MethodInsnNode call) {
    Type[] types = Type.getArgumentTypes(call.desc);
    boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
    boolean isUnsafe = call.owner.endsWith("/Unsafe");
    boolean namesObject = isUnsafe && types.length > 0 && types[0].getSort() == Type.OBJECT;
    int by = hooks.local(1);
    InsnList before = new InsnList();
    int[] saved = hooks.save(call, before);
    if (namesObject) {
      before.add(new VarInsnNode(Opcodes.ALOAD, saved[0]));
    } else {
      before.add(new InsnNode(isStatic || isUnsafe ? Opcodes.ACONST_NULL : Opcodes.DUP));
    }
    before.add(new VarInsnNode(Opcodes.ASTORE, by));
    if (!LibraryCalls.onlyReads(call)) {
      before.add(new VarInsnNode(Opcodes.ALOAD, by));
      hooks.add(before, "releases", L_OBJECT);
    }
    HookCode.restore(call, saved, before);
    before(call, before);
    InsnList after = new InsnList();
    after.add(new VarInsnNode(Opcodes.ALOAD, by));
    hooks.add(after, "acquires", L_OBJECT);
    method.instructions.insert(call, after);
  }

  /** What the call returned belongs to the thread. */
  private void confine(MethodInsnNode call) {
    InsnList after = new InsnList();
    after.add(new InsnNode(Opcodes.DUP));
    hooks.add(after, "confine", L_OBJECT);
    method.instructions.insert(call, after);
  }

  /** The lock is free while the block waits, and held again when it goes on. */
  private void waitInLock(MethodInsnNode call) {
    InsnList before = new InsnList();
    int[] saved = hooks.save(call, before);
    int lock = hooks.local(1);
    before.add(new InsnNode(Opcodes.DUP));
    before.add(new VarInsnNode(Opcodes.ASTORE, lock));
    before.add(new VarInsnNode(Opcodes.ALOAD, lock));
    hooks.add(before, "waits", L_OBJECT);
    HookCode.restore(call, saved, before);
    before(call, before);
    InsnList after = new InsnList();
    after.add(new VarInsnNode(Opcodes.ALOAD, lock));
    hooks.add(after, "waited", L_OBJECT);
    method.instructions.insert(call, after);
  }

  private void endOfStream(MethodInsnNode call, int site) {
    InsnList code = new InsnList();
    int[] saved = hooks.save(call, code);
    code.add(new InsnNode(Opcodes.DUP));
    hooks.add(code, "end", L_OBJECT, bodies.number(call), site);
    HookCode.restore(call, saved, code);
    before(call, code);
  }

  /** Calls a hook with the call's receiver. */
  private void atReceiver(MethodInsnNode call, String hook, int site) {
    InsnList code = new InsnList();
    int[] saved = hooks.save(call, code);
    code.add(new InsnNode(Opcodes.DUP));
    hooks.add(code, hook, L_OBJECT, site);
    HookCode.restore(call, saved, code);
    before(call, code);
  }

  /** The function that computes elements says, too, that they are written. */
  private void generate(MethodInsnNode call, int site) {
    InsnList code = new InsnList();
    String function = Type.getArgumentTypes(call.desc)[1].getDescriptor();
    int[] saved = hooks.save(call, code);
    code.add(new VarInsnNode(Opcodes.ALOAD, saved[0]));
    code.add(new InsnNode(Opcodes.DUP));
    code.add(new VarInsnNode(Opcodes.ALOAD, saved[1]));
    code.add(new LdcInsnNode(site));
    code.add(
        HookNames.call(
            HookNames.GENERATORS, "writing", "(" + L_OBJECT + function + "I)" + function));
    before(call, code);
  }

  private void wrap(MethodInsnNode call, int site) {
    int argument = hooks.local(1);
    InsnList saving = new InsnList();
    saving.add(new InsnNode(Opcodes.DUP));
    saving.add(new VarInsnNode(Opcodes.ASTORE, argument));
    before(call, saving);
    InsnList after = new InsnList();
    after.add(new InsnNode(Opcodes.DUP));
    after.add(new VarInsnNode(Opcodes.ALOAD, argument));
    hooks.add(after, "view", L_OBJECT + L_OBJECT, site);
    method.instructions.insert(call, after);
  }

  private InsnList clonedArray(int site) {
    InsnList check = new InsnList();
    check.add(new InsnNode(Opcodes.DUP));
    hooks.add(check, "readAll", L_OBJECT, site);
    return check;
  }

  private static boolean isHash(MethodInsnNode call) {
    // That of the class above may be by the address although this object's own is not.
    return call.getOpcode() != Opcodes.INVOKESPECIAL
        && call.name.equals("hashCode")
        && call.desc.equals("()I");
  }

  /** Whether the object has a hash code of its own is seen when it is asked for it. */
  private InsnList hash(int site) {
    InsnList check = new InsnList();
    check.add(new InsnNode(Opcodes.DUP));
    hooks.add(check, "hash", L_OBJECT, site);
    return check;
  }

  /** Whether the object has a text of its own is seen when it is asked for it. */
  private InsnList text(int site) {
    InsnList check = new InsnList();
    check.add(new InsnNode(Opcodes.DUP));
    hooks.add(check, "text", L_OBJECT, site);
    return check;
  }

  /** A field of an object of the JDK: as a method that reads it, or changes it. */
  void libraryField(FieldInsnNode access, List<Runnable> changes) {
    boolean isRead = access.getOpcode() == Opcodes.GETFIELD;
    if (!isRead && access.getOpcode() != Opcodes.PUTFIELD) {
      return;
    }
    int site = sites.number("", access.owner + (isRead ? ".get " : ".set ") + access.name);
    changes.add(
        () -> {
          InsnList check = new InsnList();
          Type type = Type.getType(access.desc);
          int value = hooks.local(type.getSize());
          if (!isRead) {
            check.add(new VarInsnNode(type.getOpcode(Opcodes.ISTORE), value));
          }
          check.add(new InsnNode(Opcodes.DUP));
          hooks.add(check, "call", L_OBJECT, site);
          if (!isRead) {
            check.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), value));
          }
          before(access, check);
        });
  }

  /** A text is put together of these operands. */
  void concatenate(InvokeDynamicInsnNode concatenation, List<Runnable> changes) {
    MethodInsnNode call =
        new MethodInsnNode(
            Opcodes.INVOKESTATIC, owner.name, concatenation.name, concatenation.desc, false);
    Type[] types = Type.getArgumentTypes(call.desc);
    if (!LibraryCalls.isConcatenation(concatenation)
        || Arrays.stream(types).noneMatch(LibraryCalls::mayHaveAddressAsText)) {
      return;
    }
    int site = sites.number(ADDRESS_IN_TEXT, "");
    int[] read = new int[types.length];
    for (int i = 0; i < types.length; i++) {
      String operand = names.operand(concatenation, types.length - 1 - i);
      read[i] = sites.number(operand, "java/lang/Object.toString" + LibraryCalls.GIVEN);
    }
    changes.add(
        () -> {
          InsnList check = new InsnList();
          int[] saved = hooks.save(call, check);
          for (int i = 0; i < types.length; i++) {
            if (LibraryCalls.mayHaveAddressAsText(types[i])) {
              check.add(new VarInsnNode(Opcodes.ALOAD, saved[i]));
              hooks.add(check, "text", L_OBJECT, site);
              check.add(new VarInsnNode(Opcodes.ALOAD, saved[i]));
              hooks.add(check, "call", L_OBJECT, read[i]);
            }
          }
          HookCode.restore(call, saved, check);
          before(concatenation, check);
        });
  }

  private InsnList hazard(Hazards.Reach reach, int site) {
    InsnList check = new InsnList();
    hooks.add(
        check,
        switch (reach) {
          case IN_BLOCKS -> "hazard";
          case BESIDE_BLOCKS -> "question";
          case EVERYWHERE -> "obstacle";
        },
        "",
        site);
    return check;
  }

  private void before(AbstractInsnNode instruction, InsnList check) {
    method.instructions.insertBefore(instruction, check);
  }
}
