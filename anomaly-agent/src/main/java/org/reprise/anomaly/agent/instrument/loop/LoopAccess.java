package org.reprise.anomaly.agent.instrument.loop;

import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.instrument.code.AccessInstruction;
import org.reprise.anomaly.agent.instrument.code.Motion;
import org.reprise.anomaly.agent.instrument.code.Temporaries;
import org.reprise.anomaly.agent.instrument.flow.Loop;
import org.reprise.anomaly.agent.instrument.flow.Polynomial;

/**
 * An access in a loop that is reported when the loop is left: it keeps in local variables what it
 * accessed last, and, if it moves, which value the loop's variable had then. What it accessed first
 * follows from that and from the value with which the loop was entered.
 */
public final class LoopAccess {
  public final AccessInstruction access;

  /** The loop at whose exits it is reported. */
  final Loop loop;

  /**
   * How the index moves in the loop, or the row's index in {@link #isColumn}; null: it does not.
   */
  final @Nullable Moving moving;

  /** The access that loads the array, if its place in the array of rows is kept as well. */
  final @Nullable LoopAccess row;

  /** Where the index comes from, if that is what moves; null: the index moves itself. */
  final @Nullable Through through;

  /** One element in each of many rows, rather than many elements of one. */
  final boolean isColumn;

  /** Holds the array or object; null as long as the access did not happen. */
  final int target;

  /** Holds the last index, or the last place in the array of indices; -1 for fields. */
  final int last;

  /** Holds the value of the loop's variable at the last access; -1 if nothing moves. */
  final int at;

  public int site;
  public int variable;

  /** Of a static field, {@link #target} is an int: whether it was accessed. */
  LoopAccess(
      AccessInstruction access,
      Loop loop,
      @Nullable Moving moving,
      @Nullable LoopAccess row,
      boolean isColumn,
      Temporaries temporaries) {
    this(access, loop, moving, row, isColumn, null, temporaries);
  }

  /** An access through an array of indices, in which its place moves. */
  LoopAccess(
      AccessInstruction access,
      Loop loop,
      Moving moving,
      Through through,
      Temporaries temporaries) {
    this(access, loop, moving, null, false, through, temporaries);
  }

  private LoopAccess(
      AccessInstruction access,
      Loop loop,
      @Nullable Moving moving,
      @Nullable LoopAccess row,
      boolean isColumn,
      @Nullable Through through,
      Temporaries temporaries) {
    this.access = access;
    this.loop = loop;
    this.moving = moving;
    this.row = row;
    this.isColumn = isColumn;
    this.through = through;
    this.target =
        access.target() == null
            ? temporaries.newInt()
            : temporaries.newReference(Temporaries.OBJECT);
    this.last = access.isElement() ? temporaries.newInt() : -1;
    this.at = moving == null ? -1 : temporaries.newInt();
  }

  /**
   * The array of indices of {@code x[list[j]]}. Nothing in the nest writes such an array, so that
   * it says the same when the loop is left.
   *
   * @param node the instruction that loads the index
   * @param indices holds the array of indices, when that was loaded
   * @param place holds the place of the index in it
   * @param isConstant nobody writes the array any more, inside the nest or outside
   */
  record Through(int node, int indices, int place, boolean isConstant) {}

  /**
   * An index that moves with a variable of the loop.
   *
   * @param coefficient what the variable is multiplied by
   * @param rest the index without the variable
   * @param start holds the variable's value when the loop was entered
   * @param current holds its value at the start of the current iteration
   */
  record Moving(Motion motion, Polynomial coefficient, Polynomial rest, int start, int current) {
    Polynomial stride() {
      return coefficient.times(Polynomial.constant(motion.step()));
    }
  }
}
