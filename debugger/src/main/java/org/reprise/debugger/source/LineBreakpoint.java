package org.reprise.debugger.source;

import java.util.Optional;
import java.util.Set;

/**
 * A place in the source at which ranks stop.
 *
 * @param place {@code solver.c:212}, or a function
 * @param condition an expression that must be true there
 */
public record LineBreakpoint(
    int number, String place, Optional<String> condition, Set<Integer> ranks) {
  public LineBreakpoint {
    ranks = Set.copyOf(ranks);
  }
}
