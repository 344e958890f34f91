package org.reprise.anomaly.agent.detect.history;

/** What to do about two accesses that no order protects. */
public interface Conflicts {
  /**
   * The current block's access conflicts with an earlier one.
   *
   * @param index the element; -1 where the variable is not an array
   */
  void found(int sourceTag, int sourceAccess, int sinkAccess, int index);
}
