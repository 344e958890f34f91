package org.reprise.anomaly.agent.instrument;

import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.code.HookNames;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.MethodReferences;

/**
 * Classes of the program that are not instrumented. What they access is not seen, but that they run
 * is: each method says so when it is entered. However it came to be called, by a name that the
 * caller knows, through an interface or by the JDK, nobody can take a run for checked in which such
 * code ran beside other code.
 */
public final class OutsideClasses {
  private final Hierarchy hierarchy;
  private final ToIntFunction<String> numbers;

  /**
   * As they are loaded.
   *
   * @param numbers numbers the name of a class, for {@link org.reprise.anomaly.hooks.Hooks#outside}
   */
  public OutsideClasses(Hierarchy hierarchy, ToIntFunction<String> numbers) {
    this.hierarchy = hierarchy;
    this.numbers = numbers;
  }

  /** The class with methods that say that they are entered. */
  public byte[] mark(@Nullable ClassLoader loader, byte[] classFile) {
    ClassNode node = new ClassNode();
    new ClassReader(classFile).accept(node, ClassReader.EXPAND_FRAMES);
    // A reference to a method of the JDK runs nothing of this class otherwise.
    MethodReferences.expand(node, loader, hierarchy);
    MethodReferences.forgetNames(node);
    int number = numbers.applyAsInt(node.name.replace('/', '.'));
    for (MethodNode method : node.methods) {
      // An initialiser is over before every use of its class, whoever is the first.
      if ((method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0
          && !method.name.equals("<clinit>")) {
        InsnList entry = new InsnList();
        entry.add(new LdcInsnNode(number));
        entry.add(HookNames.hook("outside", "(I)V"));
        method.instructions.insert(entry);
      }
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    node.accept(writer);
    return writer.toByteArray();
  }
}
