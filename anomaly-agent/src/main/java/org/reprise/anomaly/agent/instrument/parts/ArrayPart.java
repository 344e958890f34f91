package org.reprise.anomaly.agent.instrument.parts;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.flow.Linear;
import org.reprise.anomaly.agent.instrument.flow.Value;
import org.reprise.anomaly.agent.instrument.program.Site;

/**
 * That a static method, as a sort of {@code a[from]} to {@code a[to - 1]}, accesses nothing but one
 * part of each of some arrays that it is given, throws nothing and ends no block, if it is called
 * with numbers of which some inequalities hold.
 *
 * @param low the first element, and {@code end} the one behind the last: of parameters
 * @param conditions what must be at least 0, of parameters
 * @param arrays by their local variables; whether they are written
 * @param conditionsOfAll what must be at least 0 besides for all elements to be accessed, and to be
 *     written if the array is written at all
 * @param sites one for each array, where that happens; none where it is not known to happen
 */
public record ArrayPart(
    MethodNode method,
    Linear low,
    Linear end,
    List<Linear> conditions,
    Map<Integer, Boolean> arrays,
    List<Linear> conditionsOfAll,
    Map<Integer, Site> sites) {
  /** Whether it is known when the method accesses all of the part. */
  boolean isWhole() {
    return !arrays.isEmpty() && sites.keySet().equals(arrays.keySet());
  }

  /** A sum of parameters with what a call passes for them. */
  static Linear passed(Linear sum, Function<Value, Linear> argument) {
    Linear passed = Linear.number(sum.constant());
    for (Map.Entry<Value, Long> term : sum.terms().entrySet()) {
      passed = passed.plus(argument.apply(term.getKey()), term.getValue());
    }
    return passed;
  }
}
