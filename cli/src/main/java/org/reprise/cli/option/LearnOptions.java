package org.reprise.cli.option;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.Engine;
import org.reprise.launch.EventLearner;
import org.reprise.launch.run.Permission;
import org.reprise.launch.run.Replay;
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

  /**
   * Learns the events of a run where it has none, as {@link EventLearner#ensure} does. Returns 0,
   * or the exit status of a replay that left the recorded order.
   */
  public int learn(
      RecordedRun run, Optional<Integer> stack, Optional<Long> jitter, Session session) {
    boolean same =
        EventLearner.ensure(
            run,
            () -> engine(run, session),
            stack.map(OptionalInt::of).orElseGet(OptionalInt::empty),
            jitter.map(OptionalLong::of).orElseGet(OptionalLong::empty),
            session.terminal()::tell);
    return same ? 0 : Replay.NOT_THE_SAME;
  }

  public int learn(RecordedRun run, Session session) {
    return learn(run, Optional.empty(), Optional.empty(), session);
  }

  private Engine engine(RecordedRun run, Session session) {
    requireRunning(run);
    return session.engine(run.description().mpi().family(), false, permission(session));
  }

  /** Whether the command of a run may be executed. */
  public Permission permission(Session session) {
    return trust.permission(session);
  }

  /** Refuses what would run the program. */
  private void requireRunning(RecordedRun run) {
    if (noRun) {
      throw new UserError(
          "the events of " + run.directory().name() + " can only be learned by a replay",
          "--no-run, which forbids it",
          "leave out --no-run and --stack, or record with --events");
    }
  }
}
