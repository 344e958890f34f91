package org.reprise.anomaly.agent.instrument.flow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether an inequality of ints follows from others. By Farkas' lemma it does where it is a sum of
 * multiples of them and of a number that is not negative; the multiples are looked for by the
 * simplex method, in whole numbers (Edmonds 1967: all entries have the last pivot as denominator).
 */
public final class Entailment {
  /** More are taken for going round in circles. */
  private static final int PIVOTS_MAX = 100;

  private final int rows;
  private final int columns;

  /** The last row has the reduced costs, the last column the right-hand side. */
  private final long[][] table;

  private long denominator = 1;

  /** Whether a sum is at least 0 wherever all of some others are, and wherever they never are. */
  public static boolean follows(Collection<Linear> facts, Linear goal) {
    for (Linear fact : facts) {
      if (fact.constant() <= goal.constant() && fact.terms().equals(goal.terms())) {
        return true;
      }
    }
    Set<Value> values = new LinkedHashSet<>(goal.terms().keySet());
    facts.forEach(fact -> values.addAll(fact.terms().keySet()));
    List<Value> rows = new ArrayList<>(values);
    List<Linear> columns = new ArrayList<>();
    for (Value value : rows) {
      // Each int has bounds of its own: what the goal has of it is a multiple of one of them.
      columns.add(Linear.of(value).plus(-(long) Integer.MIN_VALUE));
      columns.add(Linear.number(Integer.MAX_VALUE).minus(Linear.of(value)));
    }
    columns.addAll(facts);
    try {
      return new Entailment(rows, columns, goal).isBelow(goal.constant() + 1);
    } catch (ArithmeticException e) {
      return false;
    }
  }

  private Entailment(List<Value> values, List<Linear> facts, Linear goal) {
    rows = values.size();
    columns = facts.size();
    table = new long[rows + 1][columns + 1];
    for (int column = 0; column < columns; column++) {
      table[rows][column] = facts.get(column).constant();
    }
    for (int row = 0; row < rows; row++) {
      Value value = values.get(row);
      long wanted = goal.terms().getOrDefault(value, 0L);
      long sign = wanted < 0 ? -1 : 1;
      for (int column = 0; column < columns; column++) {
        table[row][column] = sign * facts.get(column).terms().getOrDefault(value, 0L);
      }
      table[row][columns] = sign * wanted;
      // The bound is in the sum as often as the goal has its value, and costs nothing more.
      subtract(rows, row, table[rows][2 * row + (wanted < 0 ? 1 : 0)]);
    }
  }

  private void subtract(int from, int row, long times) {
    for (int column = 0; column <= columns; column++) {
      table[from][column] =
          Math.subtractExact(table[from][column], Math.multiplyExact(times, table[row][column]));
    }
  }

  /** Whether some sum of multiples, as the goal has them, has a constant below the limit. */
  private boolean isBelow(long limit) {
    for (int pivots = 0; pivots < PIVOTS_MAX; pivots++) {
      // The corner holds the negated constant of the sum so far.
      if (-table[rows][columns] < Math.multiplyExact(limit, denominator)) {
        return true;
      }
      int entering = entering();
      if (entering < 0) {
        return false;
      }
      int leaving = leaving(entering);
      if (leaving < 0) {
        // There is no end to how far it can go down: the facts exclude each other.
        return true;
      }
      pivot(leaving, entering);
    }
    return false;
  }

  /** The column that makes the constant smaller at the highest rate. */
  private int entering() {
    int best = -1;
    for (int column = 0; column < columns; column++) {
      if (table[rows][column] < (best < 0 ? 0 : table[rows][best])) {
        best = column;
      }
    }
    return best;
  }

  private int leaving(int entering) {
    int best = -1;
    for (int row = 0; row < rows; row++) {
      if (table[row][entering] > 0
          && (best < 0
              || Math.multiplyExact(table[row][columns], table[best][entering])
                  < Math.multiplyExact(table[best][columns], table[row][entering]))) {
        best = row;
      }
    }
    return best;
  }

  private void pivot(int leaving, int entering) {
    long pivot = table[leaving][entering];
    for (int row = 0; row <= rows; row++) {
      long factor = table[row][entering];
      // Most rows have nothing of the column, and most pivots are 1.
      if (row != leaving && (factor != 0 || pivot != denominator)) {
        for (int column = 0; column <= columns; column++) {
          table[row][column] =
              Math.subtractExact(
                      Math.multiplyExact(table[row][column], pivot),
                      Math.multiplyExact(factor, table[leaving][column]))
                  / denominator;
        }
      }
    }
    denominator = pivot;
  }
}
