package org.reprise.exploration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.reprise.trace.order.Outcome;

/**
 * The configurations that have been executed. Pairs of decision and outcome are numbered, and for
 * each there is a set of the executions that have it: whether some execution has all of a plan's
 * pairs is whether these sets have an element in common.
 */
final class Visited {
  private final Map<Taken, Integer> numbers = new HashMap<>();
  private final List<Taken> all = new ArrayList<>();
  private final List<BitSet> having = new ArrayList<>();
  private int count;

  /** The numbers of some pairs. */
  int[] numbers(Collection<Taken> pairs) {
    int[] known =
        pairs.stream()
            .mapToInt(
                each ->
                    numbers.computeIfAbsent(
                        each,
                        _ -> {
                          having.add(new BitSet());
                          all.add(each);
                          return having.size() - 1;
                        }))
            .toArray();
    Arrays.sort(known);
    return known;
  }

  int size() {
    return count;
  }

  int number(Taken pair) {
    return numbers(List.of(pair))[0];
  }

  /** Adds an execution; its number. */
  int add(int[] pairs) {
    for (int pair : pairs) {
      having.get(pair).set(count);
    }
    return count++;
  }

  /** Whether an execution has all of these pairs. */
  boolean covers(int[] pairs) {
    if (pairs.length == 0) {
      return count > 0;
    }
    BitSet common = (BitSet) having.get(pairs[0]).clone();
    for (int i = 1; i < pairs.length && !common.isEmpty(); i++) {
      common.and(having.get(pairs[i]));
    }
    return !common.isEmpty();
  }

  /** Whether some of these pairs decide otherwise what is decided here. */
  boolean contradicts(int[] pairs, Map<Decision, Outcome> decided) {
    for (int pair : pairs) {
      Outcome other = decided.get(all.get(pair).decision());
      if (other != null && !other.equals(all.get(pair).outcome())) {
        return true;
      }
    }
    return false;
  }

  /** Of how many of these pairs no execution has them together with this one. */
  int newWith(int pair, int[] others) {
    BitSet with = having.get(pair);
    int fresh = 0;
    for (int other : others) {
      fresh += with.intersects(having.get(other)) ? 0 : 1;
    }
    return fresh;
  }
}
