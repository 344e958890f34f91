package org.reprise.launch.explore;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.reprise.trace.run.RunDirectory;

/**
 * What came of an exploration.
 *
 * @param ranks of the program
 * @param executions runs of the program
 * @param classes orders of its messages that they were; each was run once unless it is redundant
 * @param redundant runs of an order that had been seen before
 * @param notFollowed runs that did something else than their plan said
 * @param open plans that were not tried
 * @param complete whether there are no other orders, within the bound if there is one
 * @param bound only orders with at most so many outcomes other than in the first run were tried
 * @param doubts why it is not complete, or for what only it is
 * @param outcomes the failures first, then the most frequent
 * @param unfinished by which the search can be continued, if something is left to be tried, and the
 *     options that it takes
 */
public record ExplorationReport(
    int ranks,
    long executions,
    long classes,
    long redundant,
    long notFollowed,
    int open,
    boolean complete,
    OptionalInt bound,
    List<String> doubts,
    Duration took,
    List<Counted> outcomes,
    Optional<Unfinished> unfinished,
    boolean interrupted) {
  public ExplorationReport {
    doubts = List.copyOf(doubts);
    outcomes = List.copyOf(outcomes);
  }

  /** A search that can be continued, and the options that belong to it. */
  public record Unfinished(String name, List<String> terms) {
    public Unfinished {
      terms = List.copyOf(terms);
    }
  }

  /**
   * An outcome, how many executions had it, and one of them, the shortest.
   *
   * @param events how many events that one has
   */
  public record Counted(
      ExecutionOutcome outcome, long count, Optional<RunDirectory> run, long events) {}

  public boolean showsFailure() {
    return outcomes.stream().anyMatch(counted -> counted.outcome().isFailure());
  }
}
