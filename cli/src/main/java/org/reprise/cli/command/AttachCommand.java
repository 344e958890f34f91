package org.reprise.cli.command;

import java.util.List;
import java.util.concurrent.Callable;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.prompt.CommandShell;
import org.reprise.cli.prompt.PromptOptions;
import org.reprise.cli.terminal.Session;
import org.reprise.debugger.AttachedCommands;
import org.reprise.debugger.attach.AttachedJob;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reprise attach}: stops a job that is being recorded, and looks into its ranks. */
@Command(
    name = "attach",
    mixinStandardHelpOptions = true,
    description = {
      "Stops a job that is being recorded, and looks into its ranks.",
      "They stand at one consistent place: no rank has received what was not sent. At its prompt,"
          + " where, stack and print look; continue lets the ranks go on until Ctrl-C. Nothing of the"
          + " job is changed, and when the debugger ends, however it does, the job goes on."
    },
    footerHeading = "%nExample:%n",
    footer = {"  reprise attach", "  reprise attach solver-3 --batch -e stack -e 'print step'"})
public final class AttachCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private ChosenRun chosen;

  @Mixin private PromptOptions prompt;

  public AttachCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<String> first = prompt.given(session);
    RunDirectory run = chosen.in(session);
    try (AttachedJob job = AttachedJob.of(run)) {
      Thread leaving = new Thread(job::close);
      Runtime.getRuntime().addShutdownHook(leaving);
      RunDescription description = run.description();
      AttachedCommands commands = new AttachedCommands(job, description::callName);
      CommandShell shell = new CommandShell(session, prompt);
      shell.say(commands.stop());
      int status = shell.run(commands, first);
      try {
        Runtime.getRuntime().removeShutdownHook(leaving);
      } catch (IllegalStateException e) {
        // A signal ends us, and the hook lets the ranks go.
      }
      return status;
    }
  }
}
