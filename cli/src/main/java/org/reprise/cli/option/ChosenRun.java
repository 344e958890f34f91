package org.reprise.cli.option;

import java.util.Optional;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.run.RunDirectory;
import picocli.CommandLine.Parameters;

/** The run that a command is about. */
public final class ChosenRun {
  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      completionCandidates = RunNames.class,
      description = "Its name, the beginning of its name, or its directory; else the latest run.")
  private Optional<String> run = Optional.empty();

  public RunDirectory in(Session session) {
    return session.store().find(run);
  }
}
