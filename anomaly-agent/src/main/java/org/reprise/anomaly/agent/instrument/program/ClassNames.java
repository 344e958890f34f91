package org.reprise.anomaly.agent.instrument.program;

import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.tree.ClassNode;

/** The classes that a class names, anywhere in its class file. */
final class ClassNames {
  private ClassNames() {}

  /** Internal names, those of arrays excepted. */
  static Set<String> of(ClassNode node) {
    Set<String> names = new TreeSet<>();
    node.accept(
        new ClassRemapper(
            new ClassNode(),
            new Remapper(Opcodes.ASM9) {
              @Override
              public String map(String name) {
                names.add(name);
                return name;
              }
            }));
    names.removeIf(name -> name.startsWith("["));
    return names;
  }
}
