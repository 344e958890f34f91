package org.reprise.anomaly.agent.instrument.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All fields of instrumented code by their number; numbers start at 1. */
public final class Variables {
  private final List<Variable> variables = new ArrayList<>();
  private final Map<Variable, Integer> numbers = new HashMap<>();

  public synchronized int number(Variable variable) {
    return numbers.computeIfAbsent(
        variable,
        added -> {
          variables.add(added);
          return variables.size();
        });
  }

  public synchronized Variable get(int number) {
    return variables.get(number - 1);
  }
}
