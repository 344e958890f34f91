package org.reprise.launch.embedded;

import java.util.List;
import org.reprise.ranks.engine.JobResult;

/**
 * What one execution of a program came to, as far as it shows: two executions whose outcomes are
 * equal cannot be told apart by what they print and how they end. In which order ranks printed is
 * left out: it is time, not order of messages.
 *
 * @param status what the program would exit with
 * @param printed what each rank printed that printed something
 * @param trouble the exception or the deadlock, line by line; empty if there was none
 * @param warnings what is most likely wrong with the program, however it ended
 */
public record ProgramOutcome(
    Kind kind, int status, List<Printed> printed, List<String> trouble, List<String> warnings) {
  /** How an execution ended. */
  public enum Kind {
    /** All ranks came to their ends. */
    OUTPUT,
    /** A rank threw something, or called MPI_Abort. */
    EXCEPTION,
    /** Ranks waited for each other. */
    DEADLOCK
  }

  /** What one rank printed. */
  public record Printed(int rank, String out, String err) {}

  public ProgramOutcome {
    printed = List.copyOf(printed);
    trouble = List.copyOf(trouble);
    warnings = List.copyOf(warnings);
  }

  /** Whether an exploration would call it a failure. */
  public boolean isFailure() {
    return kind != Kind.OUTPUT || status != 0;
  }

  /** The same, its warnings as another run of the same execution had them. */
  ProgramOutcome warning(List<String> texts) {
    return new ProgramOutcome(kind, status, printed, trouble, texts);
  }

  static ProgramOutcome of(JobResult result, List<Printed> printed) {
    if (result.succeeded()) {
      return new ProgramOutcome(Kind.OUTPUT, 0, printed, List.of(), result.warnings());
    }
    EmbeddedEnd end = EmbeddedEnd.of(result);
    Kind kind = Kind.OUTPUT;
    if (result.firstFailure().isPresent() || result.abortCode().isPresent()) {
      kind = Kind.EXCEPTION;
    } else if (result.deadlock().isPresent()) {
      kind = Kind.DEADLOCK;
    }
    return new ProgramOutcome(kind, end.status(), printed, end.lines(), end.warnings());
  }
}
