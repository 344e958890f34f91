package org.reprise.launch.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.reprise.launch.run.RunEnd;
import org.reprise.ranks.engine.JobResult;
import org.reprise.ranks.host.ProgramStack;

/**
 * How a program on the embedded engine ended, as its user is told: an exit status, and lines for
 * standard error.
 *
 * @param failure what went wrong
 * @param lines why it failed
 * @param warnings of what is most likely wrong, though the run may have ended normally
 */
record EmbeddedEnd(
    int status, Optional<RunEnd.Failure> failure, List<String> lines, List<String> warnings) {
  /** The exit status of a program whose ranks wait for each other. */
  static final int DEADLOCK = 68;

  /** As Java's own, of a program that threw. */
  private static final int THREW = 1;

  private static final int STATUS_MASK = 0xff;

  EmbeddedEnd {
    lines = List.copyOf(lines);
    warnings = List.copyOf(warnings);
  }

  static EmbeddedEnd of(JobResult result) {
    List<String> lines = new ArrayList<>();
    result.firstFailure().ifPresent(failed -> lines.add(thrown(failed)));
    result.abortCode().ifPresent(code -> lines.add("the program called MPI_Abort with " + code));
    result.deadlock().ifPresent(deadlock -> lines.addAll(DeadlockText.lines(deadlock)));
    return new EmbeddedEnd(status(result), failure(result), lines, result.warnings());
  }

  void tell(Consumer<String> told) {
    seen().lines().forEach(told);
  }

  RunEnd seen() {
    return new RunEnd(failure, Stream.concat(warnings.stream(), lines.stream()).toList());
  }

  private static Optional<RunEnd.Failure> failure(JobResult result) {
    if (result.abortCode().isPresent()) {
      return Optional.of(RunEnd.Failure.ABORT);
    }
    if (result.firstFailure().isPresent()) {
      return Optional.of(RunEnd.Failure.EXCEPTION);
    }
    return result.deadlock().map(_ -> RunEnd.Failure.DEADLOCK);
  }

  private static int status(JobResult result) {
    if (result.firstFailure().isPresent()) {
      return THREW;
    }
    if (result.abortCode().isPresent()) {
      return result.abortCode().getAsInt() & STATUS_MASK;
    }
    if (result.deadlock().isPresent()) {
      return DEADLOCK;
    }
    return result.ranks().stream()
        .mapToInt(end -> end.status() & STATUS_MASK)
        .filter(status -> status != 0)
        .findFirst()
        .orElse(0);
  }

  private static String thrown(JobResult.RankEnd failed) {
    Throwable failure = failed.failure();
    return "rank "
        + failed.rank()
        + " ended the run by an exception"
        + (failure == null ? "" : "\n" + ProgramStack.text(failure));
  }
}
