package org.reprise.cli.option;

import org.reprise.cli.terminal.Session;
import org.reprise.launch.run.Permission;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RecordedRun;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How commands that analyse events may get them where a run has none: by a replay, or not. */
public final class LearnOptions {
  @Mixin private TrustOptions trust;

  @Option(
      names = "--no-run",
      description = "Never run the recorded command; the run must have events already.")
  private boolean noRun;

  public Permission permission(Session session) {
    return trust.permission(session);
  }

  /** Refuses what would run the program. */
  public void requireRunning(RecordedRun run) {
    if (noRun) {
      throw new UserError(
          "the events of " + run.directory().name() + " can only be learned by a replay",
          "--no-run, which forbids it",
          "leave out --no-run and --stack, or record with --events");
    }
  }
}
