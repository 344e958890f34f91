package org.reprise.anomaly.agent.instrument.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Opcodes;

/**
 * An int as a sum of products of values that are not sums themselves. Ints wrap around, and so do
 * these: equal polynomials are equal ints.
 *
 * @param terms from the factors of a product, ordered, to its coefficient; no coefficient is 0
 */
public record Polynomial(Map<List<Value>, Integer> terms) {
  /** Longer ones are one opaque value. */
  private static final int TERMS_MAX = 16;

  private static final int FACTORS_MAX = 3;

  public static Polynomial of(Value value) {
    if (value.kind == Value.Kind.CONSTANT) {
      return constant(value.number);
    }
    if (value.kind == Value.Kind.OPERATION && value.left != null && value.right != null) {
      Polynomial left = of(value.left);
      Polynomial right = of(value.right);
      Polynomial result =
          value.number == Opcodes.IMUL
              ? left.times(right)
              : left.plus(right, value.number == Opcodes.IADD ? 1 : -1);
      if (result.terms.size() <= TERMS_MAX
          && result.terms.keySet().stream().allMatch(factors -> factors.size() <= FACTORS_MAX)) {
        return result;
      }
    }
    return new Polynomial(Map.of(List.of(value), 1));
  }

  public static Polynomial constant(int number) {
    return new Polynomial(number == 0 ? Map.of() : Map.of(List.of(), number));
  }

  private Polynomial plus(Polynomial other, int times) {
    Map<List<Value>, Integer> sum = new HashMap<>(terms);
    other.terms.forEach((factors, number) -> add(sum, factors, number * times));
    return new Polynomial(sum);
  }

  /** The same with other values in place of its own. */
  public Polynomial map(UnaryOperator<Value> other) {
    Map<List<Value>, Integer> mapped = new HashMap<>();
    terms.forEach(
        (factors, number) -> {
          List<Value> renamed = new ArrayList<>();
          factors.forEach(factor -> renamed.add(other.apply(factor)));
          renamed.sort(Comparator.comparingInt(value -> value.serial));
          add(mapped, List.copyOf(renamed), number);
        });
    return new Polynomial(mapped);
  }

  public Polynomial minus(Polynomial other) {
    return plus(other, -1);
  }

  public Polynomial times(Polynomial other) {
    Map<List<Value>, Integer> product = new HashMap<>();
    terms.forEach(
        (left, first) ->
            other.terms.forEach(
                (right, second) -> {
                  List<Value> factors = new ArrayList<>(left);
                  factors.addAll(right);
                  factors.sort(Comparator.comparingInt(value -> value.serial));
                  add(product, List.copyOf(factors), first * second);
                }));
    return new Polynomial(product);
  }

  private static void add(Map<List<Value>, Integer> sum, List<Value> factors, int number) {
    int total = sum.getOrDefault(factors, 0) + number;
    if (total == 0) {
      sum.remove(factors);
    } else {
      sum.put(factors, total);
    }
  }

  /** The number, if it is one. */
  public boolean isConstant() {
    return terms.isEmpty() || (terms.size() == 1 && terms.containsKey(List.<Value>of()));
  }

  public int constant() {
    return terms.getOrDefault(List.<Value>of(), 0);
  }

  public boolean mentions(Predicate<Value> wanted) {
    return terms.keySet().stream().flatMap(List::stream).anyMatch(wanted);
  }

  /** What {@code variable} is multiplied by; with {@link #without} the whole, if it is linear. */
  public Polynomial coefficient(Value variable) {
    Map<List<Value>, Integer> found = new HashMap<>();
    terms.forEach(
        (factors, number) -> {
          int at = factors.indexOf(variable);
          if (at >= 0) {
            List<Value> rest = new ArrayList<>(factors);
            rest.remove(at);
            add(found, List.copyOf(rest), number);
          }
        });
    return new Polynomial(found);
  }

  /** The terms in which {@code variable} is no factor. */
  public Polynomial without(Value variable) {
    Map<List<Value>, Integer> found = new HashMap<>(terms);
    found.keySet().removeIf(factors -> factors.contains(variable));
    return new Polynomial(found);
  }
}
