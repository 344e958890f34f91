package org.reprise.anomaly.agent.instrument.loop;

import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * A loop that only waits until a variable has the right value. It is left nowhere but where the
 * value is compared, unless something is thrown.
 *
 * @param read reads the variable
 * @param comparison takes the value, and what it is compared with
 * @param operands what these are
 * @param isValueLast whether the value is the last of two operands
 * @param test of what it must be true that the loop ends, as {@code Waits.holds} has it
 * @param signal loads what the loop waits in, a monitor or a condition; empty if it just runs
 */
public record WaitLoop(
    AbstractInsnNode read,
    AbstractInsnNode comparison,
    Operands operands,
    boolean isValueLast,
    int test,
    List<AbstractInsnNode> signal) {

  /** One number, which is compared with zero, two, or an object that is there or not. */
  public enum Operands {
    INT,
    TWO_INTS,
    TWO_LONGS,
    REFERENCE
  }
}
