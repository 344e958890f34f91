package org.reprise.launch.embedded;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.reprise.trace.run.RunDirectory;

/**
 * All executions of a program, told apart by their outcomes.
 *
 * @param executions how many were run; each has another matching of messages or outcome of a poll
 * @param redundant runs besides, which repeated an execution
 * @param complete whether there are no others
 * @param heldPolls whether a loop of polls was cut short: with more failures there are more
 * @param outcomes the most frequent first
 * @param ownClasses why every rank of every execution had to load classes of its own; empty if not
 * @param interrupted the exit status of a command that this signal ended; empty if there was none
 */
public record EnumerationReport(
    long executions,
    long redundant,
    boolean complete,
    boolean heldPolls,
    Duration took,
    List<Counted> outcomes,
    Optional<String> ownClasses,
    OptionalInt interrupted) {
  public EnumerationReport {
    outcomes = List.copyOf(outcomes);
  }

  /**
   * An outcome and how many executions had it.
   *
   * @param run one of these executions, to be replayed; empty if no more were to be kept
   */
  public record Counted(ProgramOutcome outcome, long count, Optional<RunDirectory> run) {}

  /** How many runs there were, those that repeated an execution included. */
  public long runs() {
    return executions + redundant;
  }

  /** Whether it depends on the order of messages how the program ends, or any order ends badly. */
  public boolean showsTrouble() {
    return outcomes.size() > 1
        || outcomes.stream().anyMatch(counted -> counted.outcome().isFailure());
  }
}
