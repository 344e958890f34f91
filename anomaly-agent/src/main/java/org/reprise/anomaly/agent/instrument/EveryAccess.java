package org.reprise.anomaly.agent.instrument;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Variables;

/** Checks every access one by one: the reference for instrumenters that drop and combine checks. */
public final class EveryAccess extends ClassRewriter {
  public EveryAccess(
      Sites sites, Variables variables, Hierarchy hierarchy, Scope scope, Warnings warnings) {
    super(sites, variables, hierarchy, scope, warnings);
  }

  @Override
  MethodPlan plan(RowVisits visits, MethodNode method, @Nullable ClassLoader loader) {
    return MethodPlan.everyAccess(method);
  }
}
