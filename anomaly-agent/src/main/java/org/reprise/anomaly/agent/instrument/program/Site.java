package org.reprise.anomaly.agent.instrument.program;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.report.Conflict;
import org.reprise.anomaly.report.Lineage;

/**
 * A place in the program that accesses something: what a report shows as source or sink.
 *
 * @param className with dots
 * @param file the source file, or the class name where the class file does not say
 * @param line 0 where the class file does not say
 * @param variable what is accessed, as the source calls it: {@code Particle.x}, {@code grid[*]} for
 *     a row of {@code grid}; for a hazard what happens, such as {@code System.nanoTime()}
 * @param call the library method called, as {@code java/util/Map.put}; empty for fields and arrays
 */
public record Site(
    String className, String method, String file, int line, String variable, String call) {
  private static final String CONSTRUCTOR = ".<init>";

  public static Site of(
      ClassNode owner, MethodNode method, int line, String variable, String call) {
    String name = owner.name.replace('/', '.');
    String file = owner.sourceFile == null ? name : owner.sourceFile;
    return new Site(name, method.name, file, line, variable, call);
  }

  /** Where a method, which was not changed so far, accesses an element. */
  public static Site ofElement(ClassNode owner, MethodNode method, AbstractInsnNode access) {
    AbstractInsnNode before = access;
    while (before != null && !(before instanceof LineNumberNode)) {
      before = before.getPrevious();
    }
    int line = before instanceof LineNumberNode number ? number.line : 0;
    int depth = access.getOpcode() < Opcodes.IASTORE ? 1 : 2;
    String array = OperandNames.of(owner.name, method).operand(access, depth);
    return of(owner, method, line, array, "");
  }

  /** As stack traces print it. */
  public String place() {
    return line > 0 ? file + ":" + line : file;
  }

  /** The access as a report shows it. */
  public Conflict.End end(Lineage block, List<String> locks, List<String> stack) {
    return new Conflict.End(className, method, file, line, callText(), block, locks, stack);
  }

  /** The call without packages, as {@code Map.put}; empty for fields and arrays. */
  private String callText() {
    String name = call.substring(call.lastIndexOf('/') + 1);
    int use = name.indexOf(':');
    String text = use < 0 ? name : name.substring(0, use);
    return text.endsWith(CONSTRUCTOR)
        ? "new " + text.substring(0, text.length() - CONSTRUCTOR.length())
        : text;
  }
}
