package org.reprise.causality;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.reprise.causality.columns.IntList;

/**
 * Why one call precedes another: a chain of calls from the first to the second. Of two neighbours
 * in it the first is earlier on the same rank, or on another rank, where the second could not
 * return before it had begun.
 */
public final class CausalPath {
  private CausalPath() {}

  /** A chain from {@code a} to {@code b}; empty if {@code a} does not precede {@code b}. */
  public static List<Integer> of(EventGraph graph, int a, int b) {
    EventTable events = graph.events();
    List<Integer> path = new ArrayList<>();
    if (!graph.precedes(a, b)) {
      return path;
    }
    path.add(b);
    int at = b;
    while (events.rank(at) != events.rank(a)) {
      // The first call of this rank that knew of a learned it from another rank.
      int learned = firstAfter(graph, a, at);
      if (learned != path.getLast()) {
        path.add(learned);
      }
      int source = source(graph, a, learned);
      path.add(source);
      at = source;
    }
    if (path.getLast() != a) {
      path.add(a);
    }
    Collections.reverse(path);
    return path;
  }

  /** The first call on the rank of {@code last} that {@code a} precedes; {@code last} is one. */
  private static int firstAfter(EventGraph graph, int a, int last) {
    int low = graph.events().first(graph.events().rank(last));
    int high = last;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (graph.precedes(a, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** One of the calls that a return waited for that {@code a} leads to, or is. */
  private static int source(EventGraph graph, int a, int learned) {
    IntList sources = new IntList();
    graph.sources(learned, sources);
    for (int i = 0; i < sources.size(); i++) {
      if (graph.reaches(a, false, sources.get(i), false)) {
        return sources.get(i);
      }
    }
    throw new IllegalStateException("nothing led to what event " + learned + " knew");
  }
}
