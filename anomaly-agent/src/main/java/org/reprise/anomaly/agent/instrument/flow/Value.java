package org.reprise.anomaly.agent.instrument.flow;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * What a local variable or a place on the operand stack holds. Two places that hold the same value
 * object hold the same thing whenever control is in one iteration of every loop around the place
 * that computes it.
 */
public final class Value implements org.objectweb.asm.tree.analysis.Value {
  /** Where a value comes from. */
  public enum Kind {
    /** The number {@link Value#number}. */
    CONSTANT,
    /** What the local variable {@link Value#number} holds when the method is entered. */
    ENTRY,
    /** One of several, by the way on which control came to the node {@link Value#node}. */
    MERGE,
    /** Sum, difference, product or negation of ints: {@link Value#number} is the opcode. */
    OPERATION,
    /** What the instruction {@link Value#instruction} computes. */
    RESULT,
    /** Nothing that the method may use. */
    UNSET
  }

  public final Kind kind;
  public final int number;
  public final int node;
  public final @Nullable AbstractInsnNode instruction;
  public final @Nullable Value left;
  public final @Nullable Value right;

  /** How many values it is computed from, each as often as it is used. */
  final int weight;

  /** Distinguishes values, in the order in which they were found. */
  final int serial;

  private final int size;

  Value(
      Kind kind,
      int number,
      int node,
      @Nullable AbstractInsnNode instruction,
      @Nullable Value left,
      @Nullable Value right,
      int size,
      int serial) {
    this.kind = kind;
    this.number = number;
    this.node = node;
    this.instruction = instruction;
    this.left = left;
    this.right = right;
    this.size = size;
    this.weight = 1 + (left == null ? 0 : left.weight) + (right == null ? 0 : right.weight);
    this.serial = serial;
  }

  /** How many places of the stack or of the local variables it takes. */
  @Override
  public int getSize() {
    return size;
  }

  /** The opcode of the instruction that computes it; -1 if none does. */
  public int opcode() {
    return kind == Kind.RESULT && instruction != null ? instruction.getOpcode() : -1;
  }

  public boolean isConstant(int wanted) {
    return kind == Kind.CONSTANT && number == wanted;
  }

  @Override
  public String toString() {
    return switch (kind) {
      case CONSTANT -> Integer.toString(number);
      case ENTRY -> "entry" + number;
      case MERGE -> "merge" + node + "." + number;
      case OPERATION -> "(" + left + " op" + number + " " + right + ")";
      case RESULT -> "result" + node;
      case UNSET -> "unset";
    };
  }
}
