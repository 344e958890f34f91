package org.reprise.anomaly.agent.instrument.program;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One analysis for each class loader: of the program that begins with the first class that it
 * loads. A class that turns up later, and that the program does not name, was not seen by the
 * analysis: that is told, since what it does may conflict with accesses that are no longer checked.
 */
public final class ProgramAnalyses {
  private final Hierarchy hierarchy;
  private final Consumer<String> surprises;
  private final Consumer<String> explanations;
  private final Map<ClassLoader, WholeProgram> ofLoaders = new WeakHashMap<>();

  public ProgramAnalyses(
      Hierarchy hierarchy, Consumer<String> surprises, Consumer<String> explanations) {
    this.hierarchy = hierarchy;
    this.surprises = surprises;
    this.explanations = explanations;
  }

  /** What the program writes in parallel that this class belongs to. */
  public synchronized ParallelWrites of(@Nullable ClassLoader loader, String className) {
    ClassLoader from = loader == null ? ClassLoader.getSystemClassLoader() : loader;
    WholeProgram program = ofLoaders.get(from);
    if (program == null) {
      program = WholeProgram.of(hierarchy, loader, className);
      ofLoaders.put(from, program);
      explanations.accept("analysis of " + className.replace('/', '.') + ": " + program.text());
    }
    for (ClassLoader above = from; above != null; above = above.getParent()) {
      WholeProgram known = ofLoaders.get(above);
      if (known != null && !known.contains(className)) {
        surprises.accept(
            "class "
                + className.replace('/', '.')
                + " was not known to the analysis of the program");
        return ParallelWrites.ANYTHING;
      }
    }
    return program.writes();
  }
}
