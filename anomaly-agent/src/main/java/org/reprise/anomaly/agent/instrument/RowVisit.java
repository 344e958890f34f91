package org.reprise.anomaly.agent.instrument;

import java.util.List;
import java.util.Map;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * What a method accesses that visits one row of a constant array of indices, {@code
 * x[corners[number][j]]} for some {@code j}, and nothing else that needs a check. It does so
 * whatever happens, as long as nothing is thrown; and nothing is if the row is there and holds the
 * places that are looked at, the arrays have the elements that it names, and hold what is asked of
 * them besides.
 *
 * @param parameter the local variable with the row's number
 * @param rows the final field with the array of rows
 * @param low the first place that is looked at in the row
 * @param high behind the last one
 * @param indexed final fields whose arrays are accessed at indices of the row
 * @param held how many elements other arrays in final fields must have
 * @param plan how the method's accesses are checked otherwise
 */
record RowVisit(
    MethodNode method,
    int parameter,
    FieldInsnNode rows,
    int low,
    int high,
    List<FieldInsnNode> indexed,
    Map<FieldInsnNode, Integer> held,
    List<Stop> stops,
    MethodPlan plan) {
  /**
   * One statement: it accesses what the row names from one place to another.
   *
   * @param array the final field with the array
   */
  record Stop(
      AbstractInsnNode access,
      boolean isWrite,
      FieldInsnNode array,
      int from,
      int to,
      int stride) {}

  /** The site of a statement, when the method has its checks. */
  int site(Stop stop) {
    return plan.site(stop.access);
  }
}
