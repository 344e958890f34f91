package org.reprise.anomaly.agent.instrument;

import static org.reprise.anomaly.agent.instrument.code.HookNames.L_OBJECT;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.reprise.anomaly.agent.instrument.code.HookCode;
import org.reprise.anomaly.agent.instrument.program.FileCalls;
import org.reprise.anomaly.agent.instrument.program.LibraryCalls;
import org.reprise.anomaly.agent.instrument.program.OperandNames;

/**
 * The calls of one method that name files, and those that make streams: what is read or written
 * through a stream is the file that it was opened with, or the stream behind it.
 */
final class FileChecks {
  private static final Type PATH = Type.getObjectType("java/nio/file/Path");

  private static final String SYSTEM = "java/lang/System";

  private final MethodNode method;
  private final OperandNames names;
  private final HookCode hooks;
  private final CallChecks.Places sites;

  FileChecks(MethodNode method, OperandNames names, HookCode hooks, CallChecks.Places sites) {
    this.method = method;
    this.names = names;
    this.hooks = hooks;
    this.sites = sites;
  }

  /** Adds what is to be done at the call, if anything. */
  void visit(MethodInsnNode call, List<Runnable> changes) {
    if (FileCalls.opens(call)) {
      open(call, changes);
    } else if (FileCalls.isGivenFiles(call)) {
      files(call, changes);
    }
    if (FileCalls.isOnNamed(call)) {
      int site = sites.number(operand(call, -1), key(call) + LibraryCalls.use(call));
      changes.add(() -> named(call, site));
    }
    if (FileCalls.isGivenOthers(call)) {
      others(call, changes);
    }
    String shared = sharedBy(call);
    if (!shared.isEmpty()) {
      String type = shared.equals("getProperties") ? "java/util/Properties" : "";
      int site = sites.number("System." + shared, type.isEmpty() ? key(call) : type + ".get");
      changes.add(() -> ofSystem(call, shared, site));
    }
  }

  private static String key(MethodInsnNode call) {
    return call.owner + "." + call.name;
  }

  /** The name of an argument; of the receiver, if it is -1. */
  private String operand(MethodInsnNode call, int argument) {
    return names.operand(call, Type.getArgumentTypes(call.desc).length - 1 - argument);
  }

  /** The constructor of a stream: it belongs to its file, or to the stream that it is given. */
  private void open(MethodInsnNode call, List<Runnable> changes) {
    String does = FileCalls.onlyReads(call.owner) ? "<init>:read" : "<init>:write";
    int site = sites.number(operand(call, 0), call.owner + "." + does);
    changes.add(
        () -> {
          int stream = hooks.local(1);
          InsnList check = new InsnList();
          int[] saved = hooks.save(call, check);
          check.add(new InsnNode(Opcodes.DUP));
          check.add(new VarInsnNode(Opcodes.ASTORE, stream));
          if (!FileCalls.wraps(call)) {
            file(check, saved[0], site);
          }
          HookCode.restore(call, saved, check);
          before(call, check);
          InsnList after = new InsnList();
          after.add(new VarInsnNode(Opcodes.ALOAD, stream));
          after.add(new VarInsnNode(Opcodes.ALOAD, saved[0]));
          hooks.add(after, "view", L_OBJECT + L_OBJECT, site);
          method.instructions.insert(call, after);
        });
  }

  /** A method that reads or writes the files at the paths that it is given. */
  private void files(MethodInsnNode call, List<Runnable> changes) {
    Type[] types = Type.getArgumentTypes(call.desc);
    int[] fileSites = new int[types.length];
    int first = -1;
    for (int i = 0; i < types.length; i++) {
      if (FileCalls.isName(types[i])) {
        boolean isFirst = first < 0 && i == 0;
        boolean isAsked = call.name.equals("isSameFile") || call.name.equals("mismatch");
        String does = isFirst || isAsked ? key(call) : call.owner + ".write";
        fileSites[i] = sites.number(operand(call, i), does);
        first = first < 0 ? i : first;
      }
    }
    int named = first;
    changes.add(
        () -> {
          InsnList check = new InsnList();
          int[] saved = hooks.save(call, check);
          for (int i = 0; i < types.length; i++) {
            if (FileCalls.isName(types[i])) {
              file(check, saved[i], fileSites[i]);
            }
          }
          HookCode.restore(call, saved, check);
          before(call, check);
          if (FileCalls.returnsStream(call)) {
            InsnList after = new InsnList();
            after.add(new InsnNode(Opcodes.DUP));
            after.add(new VarInsnNode(Opcodes.ALOAD, saved[named]));
            hooks.add(after, "view", L_OBJECT + L_OBJECT, fileSites[named]);
            method.instructions.insert(call, after);
          }
        });
  }

  private void file(InsnList check, int path, int site) {
    check.add(new LdcInsnNode(PATH));
    check.add(new VarInsnNode(Opcodes.ALOAD, path));
    hooks.add(check, "callPart", L_OBJECT + L_OBJECT, site);
  }

  /** A method that reads or writes the file that its receiver names. */
  private void named(MethodInsnNode call, int site) {
    InsnList check = new InsnList();
    int[] saved = hooks.save(call, check);
    check.add(new InsnNode(Opcodes.DUP));
    check.add(new LdcInsnNode(PATH));
    check.add(new InsnNode(Opcodes.SWAP));
    hooks.add(check, "callPart", L_OBJECT + L_OBJECT, site);
    HookCode.restore(call, saved, check);
    before(call, check);
  }

  /** A method that reads or writes the streams that it is given, or goes through collections. */
  private void others(MethodInsnNode call, List<Runnable> changes) {
    Type[] types = Type.getArgumentTypes(call.desc);
    int[] given = new int[types.length];
    for (int i = 0; i < types.length; i++) {
      if (FileCalls.isGivenCollection(call, types[i])) {
        given[i] = sites.number(operand(call, i), key(call) + LibraryCalls.GIVEN);
      } else if (FileCalls.isGivenStream(call, types[i])) {
        given[i] = sites.number(operand(call, i), key(call));
      }
    }
    changes.add(
        () -> {
          InsnList check = new InsnList();
          InsnList after = new InsnList();
          int[] saved = hooks.save(call, check);
          for (int i = 0; i < types.length; i++) {
            boolean isCollection = FileCalls.isGivenCollection(call, types[i]);
            if (isCollection || FileCalls.isGivenStream(call, types[i])) {
              check.add(new VarInsnNode(Opcodes.ALOAD, saved[i]));
              hooks.add(check, "call", L_OBJECT, given[i]);
              after.add(new VarInsnNode(Opcodes.ALOAD, saved[i]));
              after.add(new InsnNode(Opcodes.ACONST_NULL));
              hooks.add(after, "called", L_OBJECT + L_OBJECT, given[i]);
            }
          }
          HookCode.restore(call, saved, check);
          before(call, check);
          method.instructions.insert(call, after);
        });
  }

  /** What of the system a static method reads or writes; empty for nothing. */
  private static String sharedBy(MethodInsnNode call) {
    return switch (call.owner) {
      case "java/lang/IO" -> call.name.startsWith("read") ? "in" : "out";
      case SYSTEM -> call.name.equals("getProperty") ? "getProperties" : "";
      case "java/lang/Integer" -> call.name.equals("getInteger") ? "getProperties" : "";
      case "java/lang/Long" -> call.name.equals("getLong") ? "getProperties" : "";
      case "java/lang/Boolean" -> call.name.equals("getBoolean") ? "getProperties" : "";
      default -> "";
    };
  }

  private void ofSystem(MethodInsnNode call, String shared, int site) {
    InsnList check = new InsnList();
    int[] saved = hooks.save(call, check);
    check.add(
        shared.equals("getProperties")
            ? new MethodInsnNode(
                Opcodes.INVOKESTATIC, SYSTEM, shared, "()Ljava/util/Properties;", false)
            : new FieldInsnNode(
                Opcodes.GETSTATIC,
                SYSTEM,
                shared,
                shared.equals("in") ? "Ljava/io/InputStream;" : "Ljava/io/PrintStream;"));
    hooks.add(check, "call", L_OBJECT, site);
    HookCode.restore(call, saved, check);
    before(call, check);
  }

  private void before(MethodInsnNode call, InsnList check) {
    method.instructions.insertBefore(call, check);
  }
}
