package org.reprise.cli;

import java.util.Optional;
import org.reprise.trace.RunDirectory;
import picocli.CommandLine.Parameters;

/** The run that a command is about. */
final class ChosenRun {
  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      completionCandidates = RunNames.class,
      description = "Its name, the beginning of its name, or its directory; else the latest run.")
  private Optional<String> run = Optional.empty();

  RunDirectory in(Session session) {
    return session.store().find(run);
  }
}
