package org.reprise.ranks.host;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Thrown where a program's class needs a class of Open MPI's Java bindings that package {@code mpi}
 * does not have, by name and with what it is for.
 */
public final class NotProvidedError extends LinkageError {
  private static final String ONE_SIDED = "one-sided communication";
  private static final String FILES = "files";
  private static final String COUNTS = "counts over 2^31";
  private static final String GRAPHS = "distributed graphs";
  private static final String COMPLEX = "complex numbers";
  private static final String PROCESSES = "starting and connecting processes";

  private static final Map<String, String> CLASSES =
      new TreeMap<>(
          Map.of(
              "Win", ONE_SIDED,
              "File", FILES,
              "FileView", FILES,
              "Count", COUNTS,
              "DistGraphNeighbors", GRAPHS,
              "FloatComplex", COMPLEX,
              "DoubleComplex", COMPLEX));

  private static final Map<String, String> METHODS =
      new TreeMap<>(
          Map.of(
              "spawn", PROCESSES,
              "spawnMultiple", PROCESSES,
              "getParent", PROCESSES,
              "openPort", PROCESSES,
              "accept", PROCESSES,
              "connect", PROCESSES,
              "createDistGraph", GRAPHS,
              "createDistGraphAdjacent", GRAPHS));

  /** As javac reports a class or method that it cannot find. */
  private static final Pattern MISSING =
      Pattern.compile("symbol: +(?:class (\\w+)|method (\\w+)\\(|variable (\\w+))");

  private NotProvidedError(String message) {
    super(message);
  }

  /** What to throw for a class that was not found; empty if it is none of these. */
  static Optional<NotProvidedError> ofClass(String name) {
    String what = name.startsWith("mpi.") ? CLASSES.get(name.substring("mpi.".length())) : null;
    return what == null
        ? Optional.empty()
        : Optional.of(
            new NotProvidedError(
                name + " (" + what + ") is not provided by Reprise; docs/COVERAGE.md has what is"));
  }

  /** The parts of the bindings that are not provided and that javac did not find. */
  static Set<String> in(String compilerOutput) {
    Set<String> parts = new LinkedHashSet<>();
    Matcher missing = MISSING.matcher(compilerOutput);
    while (missing.find()) {
      String type = missing.group(1) == null ? missing.group(3) : missing.group(1);
      String method = missing.group(2);
      if (type != null && CLASSES.containsKey(type)) {
        parts.add("mpi." + type + " (" + CLASSES.get(type) + ")");
      } else if (method != null && METHODS.containsKey(method)) {
        parts.add(method + " (" + METHODS.get(method) + ")");
      }
    }
    return parts;
  }
}
