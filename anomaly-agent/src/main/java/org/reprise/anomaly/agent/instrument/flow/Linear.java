package org.reprise.anomaly.agent.instrument.flow;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A sum of multiples of ints and a number. It does not wrap around, unlike a {@link Polynomial}: so
 * it can be compared.
 *
 * @param terms no coefficient is 0
 */
public record Linear(Map<Value, Long> terms, long constant) {
  public static Linear of(Value value) {
    return value.kind == Value.Kind.CONSTANT
        ? number(value.number)
        : new Linear(Map.of(value, 1L), 0);
  }

  public static Linear number(long number) {
    return new Linear(Map.of(), number);
  }

  public Linear plus(Linear other) {
    return plus(other, 1);
  }

  public Linear minus(Linear other) {
    return plus(other, -1);
  }

  public Linear plus(long number) {
    return new Linear(terms, constant + number);
  }

  /** This and some times another one. */
  public Linear plus(Linear other, long times) {
    Map<Value, Long> sum = new LinkedHashMap<>(terms);
    other.terms.forEach(
        (value, count) ->
            sum.compute(
                value,
                (any, before) -> {
                  long total = (before == null ? 0 : before) + count * times;
                  return total == 0 ? null : Long.valueOf(total);
                }));
    return new Linear(sum, constant + other.constant * times);
  }
}
