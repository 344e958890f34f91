package org.reprise.launch;

import java.util.List;
import java.util.Optional;
import org.reprise.trace.RunDescription;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.RunSummary;

/**
 * What came of recording a command.
 *
 * @param summary empty if no rank left a trace
 * @param exitStatus of the command, 128 + n after signal n
 * @param warnings what the recording does not hold, a sentence each, for stderr
 */
public record Recording(
    RunDirectory run,
    RunDescription description,
    Optional<RunSummary> summary,
    int exitStatus,
    List<String> warnings) {
  public Recording {
    warnings = List.copyOf(warnings);
  }
}
