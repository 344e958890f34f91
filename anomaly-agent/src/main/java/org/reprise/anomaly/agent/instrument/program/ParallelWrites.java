package org.reprise.anomaly.agent.instrument.program;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * What the parts of a program that may run in parallel write: fields, and elements of arrays by the
 * kind of array. Whatever else they read is not written while anybody reads it, so that reads of it
 * conflict with nothing.
 */
public final class ParallelWrites {
  /** Nothing is known: everything may be written. */
  public static final ParallelWrites ANYTHING = new ParallelWrites(true);

  private static final int KINDS = Opcodes.SALOAD - Opcodes.IALOAD + 1;

  private final boolean isAnything;
  private final Set<String> fields = new HashSet<>();
  private final boolean[] kinds = new boolean[KINDS];

  private ParallelWrites(boolean isAnything) {
    this.isAnything = isAnything;
  }

  static ParallelWrites nothing() {
    return new ParallelWrites(false);
  }

  void field(Variable field) {
    fields.add(name(field));
  }

  /** An instruction that stores into an array. */
  void element(int storing) {
    kinds[storing - Opcodes.IASTORE] = true;
  }

  void allElements() {
    for (int kind = 0; kind < KINDS; kind++) {
      kinds[kind] = true;
    }
  }

  /** Elements of arrays whose descriptor has this letter after the bracket. */
  void elementsOf(char component) {
    int kind = "IJFD[BCS".indexOf(component);
    element(Opcodes.IASTORE + (component == 'Z' ? Opcodes.BASTORE - Opcodes.IASTORE : kind));
  }

  public boolean mayWrite(Variable field) {
    return isAnything || fields.contains(name(field));
  }

  /** Whether elements may be written that the instruction loads. */
  public boolean mayWriteWhatLoads(int loading) {
    return isAnything || kinds[loading - Opcodes.IALOAD];
  }

  private static String name(Variable field) {
    return field.className() + "." + field.field();
  }
}
