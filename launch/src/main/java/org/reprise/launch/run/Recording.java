package org.reprise.launch.run;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunSummary;

/**
 * What came of recording a command.
 *
 * @param summary empty if no rank left a trace
 * @param exitStatus of the command, 128 + n after signal n
 * @param atRest whether no rank could go on when a rank ended the others
 * @param end what the engine saw of the ranks' end
 * @param warnings what the recording does not hold, a sentence each, for stderr
 */
public record Recording(
    RunDirectory run,
    RunDescription description,
    Optional<RunSummary> summary,
    int exitStatus,
    boolean atRest,
    RunEnd end,
    List<String> warnings) {
  public Recording {
    warnings = List.copyOf(warnings);
  }

  /** The same with another exit status: that of Reprise, which has ended the command. */
  public Recording withExitStatus(int status) {
    return new Recording(run, description, summary, status, atRest, end, warnings);
  }

  /** The same with more to say. */
  public Recording withWarnings(List<String> more) {
    List<String> all = Stream.concat(warnings.stream(), more.stream()).toList();
    return new Recording(run, description, summary, exitStatus, atRest, end, all);
  }

  /** The same, with what the engine saw. */
  public Recording withEnd(RunEnd seen) {
    return new Recording(run, description, summary, exitStatus, atRest, seen, warnings);
  }

  /** The same, of a run in which no rank could go on when it was ended. */
  public Recording withAtRest(boolean rested) {
    return new Recording(run, description, summary, exitStatus, rested, end, warnings);
  }
}
