package org.reprise.launch.explore;

import java.util.List;
import java.util.Optional;
import org.reprise.exploration.Decision;
import org.reprise.exploration.Execution;
import org.reprise.trace.run.RecordedRun;

/**
 * Why a run fails, as far as the order of its messages decides it.
 *
 * @param failing the run as it was run again, with its events
 * @param passing the passing run that differs from it the least; empty: none was found
 * @param beginning the choices of the shortest beginning of the failing run after which every run
 *     fails, in an order in which they can be made; empty if every run fails from the start
 * @param cause the fewest of them that no passing run has all of
 * @param shown whether that was tried to the end; else there were more orders than was allowed
 * @param runs of the program that were made for it
 * @param failures how many of the orders failed
 * @param passes how many passed
 */
public record Explanation(
    Side failing,
    Optional<Side> passing,
    List<Decision> beginning,
    List<Decision> cause,
    boolean shown,
    long runs,
    int failures,
    int passes) {
  public Explanation {
    beginning = List.copyOf(beginning);
    cause = List.copyOf(cause);
  }

  /** One of the two runs that are compared. */
  public record Side(RecordedRun run, ExecutionOutcome outcome, Execution execution) {}
}
