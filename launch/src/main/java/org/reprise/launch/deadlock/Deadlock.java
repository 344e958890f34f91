package org.reprise.launch.deadlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.reprise.trace.Rank;

/**
 * Ranks of which none can ever go on, whatever the others do.
 *
 * @param blockers for each of them, the ranks without which it does not go on: deadlocked
 *     themselves, or finished; empty if nothing that a rank does would help
 * @param finished those that are past MPI_Finalize
 * @param cycle ranks that wait for each other in a circle, the first not repeated; empty if the
 *     waits end at a rank that has finished, or nowhere
 */
public record Deadlock(
    NavigableMap<Rank, NavigableSet<Rank>> blockers,
    NavigableSet<Rank> finished,
    List<Rank> cycle) {
  public Deadlock {
    blockers = new TreeMap<>(blockers);
    cycle = List.copyOf(cycle);
  }

  /** The ranks that cannot go on. */
  public List<Rank> ranks() {
    return List.copyOf(blockers.keySet());
  }

  /**
   * The same in words.
   *
   * @param where what a rank does: {@code in MPI_Recv (call 3) at main ring.c:7, waiting for ...}
   */
  public List<String> lines(Function<Rank, String> where) {
    List<String> lines = new ArrayList<>();
    lines.add("deadlock: " + names(ranks()) + " cannot go on");
    for (Map.Entry<Rank, NavigableSet<Rank>> entry : blockers.entrySet()) {
      lines.add("  rank " + entry.getKey().number() + " is " + where.apply(entry.getKey()));
    }
    finished.forEach(rank -> lines.add("  rank " + rank.number() + " has called MPI_Finalize"));
    if (!cycle.isEmpty()) {
      List<Rank> circle = new ArrayList<>(cycle);
      circle.add(cycle.getFirst());
      lines.add(
          "  in a circle: "
              + circle.stream()
                  .map(rank -> "rank " + rank.number())
                  .collect(Collectors.joining(" -> ")));
    }
    return lines;
  }

  private static String names(List<Rank> ranks) {
    String numbers =
        ranks.stream()
            .map(rank -> Integer.toString(rank.number()))
            .collect(Collectors.joining(", "));
    return ranks.size() == 1 ? "rank " + numbers : "ranks " + numbers;
  }
}
