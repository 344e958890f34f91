package org.reprise.recovery;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which marks of an index happened before which of the next one: what rule 2 asks for. Worked out
 * where it is asked for, from the event graph, and so exact: the paper's knowledge matrix is what
 * ranks can know of it while they run.
 */
final class Knowledge {
  private final Marks marks;

  /** By index i, then by rank r: the ranks whose mark i + 1 came after mark i of r. */
  private final Map<Integer, @Nullable BitSet[]> after = new HashMap<>();

  Knowledge(Marks marks) {
    this.marks = marks;
  }

  /** The ranks that have a mark {@code index} + 1, after mark {@code index} of this rank. */
  BitSet after(int index, int rank) {
    @Nullable BitSet[] rows =
        after.computeIfAbsent(index, _ -> new BitSet[marks.timeline().ranks()]);
    BitSet row = rows[rank];
    if (row == null) {
      row = new BitSet();
      int mark = marks.withIndex(rank, index);
      for (int other = 0; mark >= 0 && other < rows.length; other++) {
        int next = marks.withIndex(other, index + 1);
        if (next >= 0 && marks.happenedBefore(rank, mark, other, next)) {
          row.set(other);
        }
      }
      rows[rank] = row;
    }
    return row;
  }

  /** Condition 1 of rule 2 for a message from interval {@code index} of q to that of p. */
  boolean isAtMostOneStep(int q, int p, int index) {
    // A mark that never happens keeps nobody from being two intervals behind it.
    return q == p || marks.withIndex(q, index + 2) < 0 || after(index + 1, p).get(q);
  }

  /** Condition 2. */
  boolean isKnownToThirds(int q, int p, int index) {
    BitSet onlyQ = (BitSet) after(index + 1, q).clone();
    onlyQ.andNot(after(index + 1, p));
    onlyQ.clear(p);
    onlyQ.clear(q);
    return onlyQ.isEmpty();
  }
}
