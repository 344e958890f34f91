package org.reprise.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.regex.Pattern;
import org.reprise.cli.command.AlterCommand;
import org.reprise.cli.command.AttachCommand;
import org.reprise.cli.command.CheckCommand;
import org.reprise.cli.command.DebugCommand;
import org.reprise.cli.command.Demo;
import org.reprise.cli.command.DistillCommand;
import org.reprise.cli.command.DoctorCommand;
import org.reprise.cli.command.EnumerateCommand;
import org.reprise.cli.command.EventsCommand;
import org.reprise.cli.command.ExplainCommand;
import org.reprise.cli.command.ExploreCommand;
import org.reprise.cli.command.ExportCommand;
import org.reprise.cli.command.GraphCommand;
import org.reprise.cli.command.JavaCommand;
import org.reprise.cli.command.PlanCommand;
import org.reprise.cli.command.RacesCommand;
import org.reprise.cli.command.RecordCommand;
import org.reprise.cli.command.ReplayCommand;
import org.reprise.cli.command.RunCommand;
import org.reprise.cli.command.ViewCommand;
import org.reprise.cli.held.HeldRanksCommand;
import org.reprise.cli.manual.CommandGroups;
import org.reprise.cli.manual.CompletionCommand;
import org.reprise.cli.manual.ManCommand;
import org.reprise.cli.report.FailureText;
import org.reprise.cli.runs.AlwaysCommand;
import org.reprise.cli.runs.DiffCommand;
import org.reprise.cli.runs.KeepCommand;
import org.reprise.cli.runs.ListCommand;
import org.reprise.cli.runs.PackCommand;
import org.reprise.cli.runs.RemoveCommand;
import org.reprise.cli.runs.ShowCommand;
import org.reprise.cli.runs.UnpackCommand;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Terminal;
import org.reprise.cli.watch.WatchCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code reprise}. Exit codes: 0 done; 1, or what the error says, something the user
 * can fix; 2 the command line is wrong; 70 a bug in Reprise. Commands that run the user's program
 * pass its status on.
 */
@Command(
    name = "reprise",
    mixinStandardHelpOptions = true,
    versionProvider = Reprise.Version.class,
    description = "Finds, repeats and explains nondeterminism in parallel programs.",
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise record mpirun -n 4 ./program",
      "  reprise record -n 4 Program.java",
      "  reprise replay",
      "",
      "reprise COMMAND --help tells more about a command, reprise demo shows the point."
    })
public final class Reprise implements Runnable {
  @Spec private CommandSpec spec;

  private Reprise() {}

  public static void main(String[] arguments) {
    Session session = Session.ofProcess();
    System.exit(run(session.terminal(), commandLine(session), arguments));
  }

  /** The model of all commands; help, completion and manual pages are made from it. */
  static CommandLine commandLine(Session session) {
    CommandLine commandLine = new CommandLine(new Reprise());
    CommandLine record = new CommandLine(new RecordCommand(session)).setStopAtPositional(true);
    CommandLine replay =
        new CommandLine(new ReplayCommand(session))
            .setEndOfOptionsDelimiter(ReplayCommand.NO_DELIMITER);
    CommandLine run = new CommandLine(new RunCommand(session)).setStopAtPositional(true);
    // Its program is small and has few words of its own; options may stand behind it, too.
    CommandLine enumerate =
        new CommandLine(new EnumerateCommand(session)).setUnmatchedOptionsArePositionalParams(true);
    CommandLine explore = new CommandLine(new ExploreCommand(session)).setStopAtPositional(true);
    CommandLine java = new CommandLine(new JavaCommand(session)).setStopAtPositional(true);
    CommandLine check = new CommandLine(new CheckCommand(session)).setStopAtPositional(true);
    new CommandGroups()
        .add(commandLine, "Record and replay", record, replay, run, java)
        .add(
            commandLine,
            "See what a run did, and what races in it",
            new ShowCommand(session),
            new EventsCommand(session),
            new RacesCommand(session),
            new GraphCommand(session),
            new DiffCommand(session),
            new WatchCommand(session),
            new ViewCommand(session),
            new ExportCommand(session))
        .add(
            commandLine,
            "Stop all ranks at one place, and look inside",
            new DebugCommand(session),
            new AttachCommand(session),
            new PlanCommand(session))
        .add(
            commandLine,
            "Try other orders of messages",
            new AlterCommand(session),
            explore,
            new ExplainCommand(session),
            enumerate)
        .add(commandLine, "Check parallel Java programs", check)
        .add(
            commandLine,
            "Keep runs",
            new ListCommand(session),
            new RemoveCommand(session),
            new KeepCommand(session),
            new AlwaysCommand(session),
            new DistillCommand(session),
            new PackCommand(session),
            new UnpackCommand(session))
        .add(
            commandLine,
            "Reprise itself",
            new DoctorCommand(session),
            new Demo(session),
            new CompletionCommand(session),
            new ManCommand(session))
        .show(commandLine);
    commandLine.addSubcommand(new HeldRanksCommand(session));
    // A word of the user's program that begins with @ is not a file of arguments for us.
    commandLine.setExpandAtFiles(false);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine
        .getSubcommands()
        .values()
        .forEach(command -> command.getCommandSpec().versionProvider(new Version()));
    return commandLine;
  }

  /** Runs one command line and says what to exit with; nothing is thrown. */
  static int run(Terminal terminal, CommandLine commandLine, String... arguments) {
    commandLine
        .setOut(terminal.ownOut())
        .setErr(terminal.ownErr())
        .setColorScheme(terminal.outColours())
        .setParameterExceptionHandler((wrong, _) -> usageError(terminal, wrong))
        .setExecutionExceptionHandler((thrown, _, _) -> FailureText.print(terminal, thrown));
    try {
      int status = commandLine.execute(arguments);
      terminal.requireWritten();
      return status;
    } catch (Throwable thrown) {
      // picocli hands over exceptions only; what ran out of memory or failed an assert ends here.
      return FailureText.print(terminal, thrown);
    } finally {
      terminal.out().flush();
      terminal.err().flush();
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "No command given");
  }

  private static int usageError(Terminal terminal, ParameterException wrong) {
    PrintWriter err = terminal.err();
    CommandLine command = wrong.getCommandLine();
    err.println(terminal.error("reprise: " + complaint(wrong)));
    if (UnmatchedArgumentException.printSuggestions(wrong, err)) {
      return CommandLine.ExitCode.USAGE;
    }
    if (command.getParent() == null) {
      command.usage(terminal.ownErr(), terminal.errColours());
    } else {
      err.println("  fix: see " + command.getCommandSpec().qualifiedName() + " --help");
    }
    return CommandLine.ExitCode.USAGE;
  }

  private static String complaint(ParameterException wrong) {
    boolean first = wrong.getCommandLine().getParent() == null;
    return first
            && wrong instanceof UnmatchedArgumentException unmatched
            && !unmatched.getUnmatched().getFirst().startsWith("-")
        ? "there is no command '" + unmatched.getUnmatched().getFirst() + "'"
        : String.valueOf(wrong.getMessage())
            .replaceFirst("is not an? (?:long|int)$", "is not a whole number")
            .transform(Reprise::inWordsOfOptions);
  }

  /** Constants of an enum, which picocli lists, are typed in lower case. */
  private static String inWordsOfOptions(String message) {
    return Pattern.compile("expected one of (\\[.*?]) \\(case-insensitive\\)")
        .matcher(message)
        .replaceFirst(found -> "expected one of " + found.group(1).toLowerCase(Locale.ROOT));
  }

  /** The version that Maven wrote into the jar, so that it stands in one place only. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Reprise.class.getPackage().getImplementationVersion();
      return new String[] {"reprise " + (version == null ? "(not packaged)" : version)};
    }
  }
}
