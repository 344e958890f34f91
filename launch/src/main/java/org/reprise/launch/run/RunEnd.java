package org.reprise.launch.run;

import java.util.List;
import java.util.Optional;

/**
 * How the ranks of a run ended, as far as the engine saw it: exit statuses, signals and output say
 * the rest.
 *
 * @param failure what the engine knows to have gone wrong
 * @param lines for standard error: the failure, and what looks wrong though the run passed
 */
public record RunEnd(Optional<Failure> failure, List<String> lines) {
  /** Nothing that an exit status does not say. */
  public static final RunEnd PLAIN = new RunEnd(Optional.empty(), List.of());

  /** What went wrong. */
  public enum Failure {
    /** Ranks waited for each other, and the engine ended the run. */
    DEADLOCK,
    /** A rank ended by an exception. */
    EXCEPTION,
    /** A rank called {@code MPI_Abort}. */
    ABORT
  }

  public RunEnd {
    lines = List.copyOf(lines);
  }

  /** The engine ended the run for a deadlock. */
  public static RunEnd deadlock(List<String> lines) {
    return new RunEnd(Optional.of(Failure.DEADLOCK), lines);
  }

  public boolean isDeadlock() {
    return failure.filter(Failure.DEADLOCK::equals).isPresent();
  }
}
