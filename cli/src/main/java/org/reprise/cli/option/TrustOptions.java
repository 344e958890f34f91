package org.reprise.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.run.Permission;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RecordedEnvironment;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunSeal;
import org.reprise.trace.text.PlainText;
import org.reprise.trace.text.ShellWords;
import picocli.CommandLine.Option;

/**
 * Whether a command may execute what a run says. The user's own runs are executed without a
 * question. Of any other, what would be executed is shown, and the user is asked.
 */
public final class TrustOptions {
  /** As in sysexits.h: not enough permission. */
  static final int REFUSED = 77;

  @Option(
      names = "--trust",
      description =
          "Run the recorded command even if the run is not your own: it can do whatever you can.")
  private boolean trust;

  public Permission permission(Session session) {
    return (run, command) -> origin(run, command, session);
  }

  private Permission.Origin origin(RecordedRun run, List<String> command, Session session) {
    Optional<String> doubt =
        RunSeal.of(session.environment()).doubt(run.directory(), run.description());
    if (doubt.isEmpty()) {
      return Permission.Origin.OWN;
    }
    show(run, command, doubt.get(), session);
    if (!trust && !session.terminal().agrees("run this command? [y/N] ")) {
      throw new UserError(
          "the command of " + run.directory().name() + " was not run",
          "the run is not your own: " + doubt.get(),
          "read the command above; if you trust who sent the run, add --trust",
          REFUSED);
    }
    return Permission.Origin.TRUSTED;
  }

  private static void show(
      RecordedRun recorded, List<String> command, String doubt, Session session) {
    RunDescription run = recorded.description();
    List<String> lines = new ArrayList<>();
    lines.add(recorded.directory().name() + " is not your own run: " + doubt);
    lines.add("its replay runs: " + ShellWords.join(command));
    lines.add("in directory: " + PlainText.line(run.directory()));
    run.environment()
        .forEach(
            (variable, value) -> {
              if (RecordedEnvironment.isRestored(variable, run, false)
                  && !value.equals(session.environment().get(variable))) {
                lines.add("with " + ShellWords.quote(variable + "=" + value));
              }
            });
    if (run.stdinKept()) {
      lines.add("with its standard input from " + recorded.directory().stdinFile());
    }
    session.terminal().tell(String.join("\n", lines));
  }
}
