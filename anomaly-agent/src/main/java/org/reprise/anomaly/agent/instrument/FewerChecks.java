package org.reprise.anomaly.agent.instrument;

import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.reprise.anomaly.agent.instrument.loop.ConstantArrays;
import org.reprise.anomaly.agent.instrument.parts.ArrayParts;
import org.reprise.anomaly.agent.instrument.program.Boundaries;
import org.reprise.anomaly.agent.instrument.program.CheckedFields;
import org.reprise.anomaly.agent.instrument.program.Hierarchy;
import org.reprise.anomaly.agent.instrument.program.ParallelWrites;
import org.reprise.anomaly.agent.instrument.program.ProgramAnalyses;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.agent.instrument.program.Sites;
import org.reprise.anomaly.agent.instrument.program.Summaries;
import org.reprise.anomaly.agent.instrument.program.Variables;

/**
 * Drops the checks that can find nothing, and makes one of those that belong together (Hood,
 * Kennedy and Mellor-Crummey 1990, 1.2, with ranges in place of dependence tests).
 */
public final class FewerChecks extends ClassRewriter {
  private final Summaries summaries;
  private final Map<ClassNode, ConstantArrays> constants = new WeakHashMap<>();
  private @Nullable ProgramAnalyses analyses;

  public FewerChecks(
      Sites sites, Variables variables, Hierarchy hierarchy, Scope scope, Warnings warnings) {
    super(sites, variables, hierarchy, scope, warnings);
    this.summaries = new Summaries(hierarchy);
  }

  /** Drops besides what an analysis of the whole program shows to be written by nobody. */
  public void analyzeWith(ProgramAnalyses newAnalyses) {
    analyses = newAnalyses;
  }

  @Override
  MethodPlan plan(RowVisits visits, MethodNode method, @Nullable ClassLoader loader) {
    ClassNode owner = visits.owner();
    return MethodPlan.of(
        method,
        new Boundaries(owner, loader, hierarchy(), summaries),
        new CheckedFields(owner, loader, hierarchy()),
        summaries,
        constants(owner, loader),
        analyses == null ? ParallelWrites.ANYTHING : analyses.of(loader, owner.name),
        visits,
        loader);
  }

  @Override
  RowVisits visits(ClassNode owner, @Nullable ClassLoader loader) {
    return RowVisits.of(owner, method -> visit(owner, method, loader));
  }

  private @Nullable RowVisit visit(
      ClassNode owner, MethodNode method, @Nullable ClassLoader loader) {
    MethodPlan plan = plan(RowVisits.none(owner), method, loader);
    CheckedFields fields = new CheckedFields(owner, loader, hierarchy());
    return plan.footprint() == null
        ? RowVisitSearch.of(method, fields, constants(owner, loader), plan).orElse(null)
        : null;
  }

  @Override
  ArrayParts parts(ClassNode owner) {
    return ArrayParts.of(owner);
  }

  /** Found before any method of the class is changed: when the first one is planned. */
  private ConstantArrays constants(ClassNode owner, @Nullable ClassLoader loader) {
    synchronized (constants) {
      return constants.computeIfAbsent(
          owner, any -> ConstantArrays.of(owner, summaries, hierarchy(), loader));
    }
  }
}
