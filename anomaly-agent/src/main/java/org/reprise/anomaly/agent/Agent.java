package org.reprise.anomaly.agent;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;
import org.reprise.anomaly.agent.instrument.EveryAccess;
import org.reprise.anomaly.agent.instrument.Hierarchy;
import org.reprise.anomaly.agent.instrument.Sites;
import org.reprise.anomaly.agent.instrument.Variables;

/** Where the virtual machine enters: before the program's main, or when the agent is attached. */
public final class Agent {
  private Agent() {}

  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  public static void agentmain(@Nullable String arguments, Instrumentation instrumentation) {
    start(arguments, instrumentation);
  }

  private static void start(@Nullable String arguments, Instrumentation instrumentation) {
    Options options = Options.parse(arguments == null ? "" : arguments);
    Sites sites = new Sites();
    Variables variables = new Variables();
    EveryAccess instrumenter =
        new EveryAccess(
            sites,
            variables,
            new Hierarchy(),
            options.scope(),
            (className, method, why) ->
                System.err.println(
                    "reprise: " + className + "." + method + " is not checked: " + why));
    instrumentation.addTransformer(new ProgramClasses(instrumenter, options.scope()), true);
  }
}
