package org.reprise.anomaly.agent;

import java.util.ArrayList;
import java.util.List;
import org.reprise.anomaly.agent.instrument.Scope;

/**
 * What the agent was asked for: {@code -javaagent:reprise-agent.jar=include=a.b,exclude=c.d}.
 *
 * @param scope which classes are instrumented
 */
record Options(Scope scope) {
  static Options parse(String arguments) {
    List<String> included = new ArrayList<>();
    List<String> excluded = new ArrayList<>();
    for (String argument : arguments.split(",")) {
      int equals = argument.indexOf('=');
      String key = equals < 0 ? argument : argument.substring(0, equals);
      String value = equals < 0 ? "" : argument.substring(equals + 1);
      switch (key) {
        case "" -> {}
        case "include" -> included.add(value);
        case "exclude" -> excluded.add(value);
        default -> System.err.println("reprise: the agent has no option '" + key + "'");
      }
    }
    return new Options(new Scope(included, excluded));
  }
}
