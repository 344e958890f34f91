package org.reprise.anomaly.agent.instrument.program;

import java.util.List;

/**
 * Statements that access the same elements of one array and are told at once. They have a number
 * like a {@link Site}.
 *
 * @param heads those that access the first element only; then the rest do not
 */
public record Bundle(List<Statement> heads, List<Statement> rest) {
  /** Bundles have numbers from here on, sites have smaller ones. */
  private static final int FIRST = 1 << 24;

  /** A site, and whether it writes. */
  public record Statement(int site, boolean isWrite) {}

  /** What a statement of a bundle accesses. */
  public interface Action {
    void accept(int from, int to, int stride, Statement statement);
  }

  static int number(int index) {
    return FIRST + index;
  }

  static int index(int site) {
    return site - FIRST;
  }

  /** Whether the number is a bundle's. */
  public static boolean is(int site) {
    return site >= FIRST;
  }

  /** What each statement accessed, if all together did this. */
  public void forEach(int from, int to, int stride, Action action) {
    heads.forEach(head -> action.accept(from, from + 1, 1, head));
    int first = heads.isEmpty() ? from : from + 1;
    rest.forEach(each -> action.accept(first, to, stride, each));
  }
}
