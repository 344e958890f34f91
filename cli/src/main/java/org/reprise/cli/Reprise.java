package org.reprise.cli;

import java.io.PrintWriter;
import org.reprise.trace.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command {@code reprise}. Exit codes: 0 done; 1, or what the error says, something the user
 * can fix; 2 the command line is wrong; 70 a bug in Reprise.
 */
@Command(
    name = "reprise",
    mixinStandardHelpOptions = true,
    versionProvider = Reprise.Version.class,
    description = "Finds, repeats and explains nondeterminism in parallel programs.",
    synopsisSubcommandLabel = "COMMAND")
public final class Reprise implements Runnable {
  /** As in sysexits.h: an internal software error. */
  static final int BUG = 70;

  @Spec private CommandSpec spec;

  private Reprise() {}

  public static void main(String[] arguments) {
    Terminal terminal =
        Terminal.ofProcess(System.getenv(), System.getProperty("reprise.terminal", ""));
    System.exit(run(terminal, commandLine(), arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Reprise());
  }

  /** Runs one command line and says what to exit with; nothing is thrown. */
  static int run(Terminal terminal, CommandLine commandLine, String... arguments) {
    commandLine
        .setOut(terminal.out())
        .setErr(terminal.err())
        .setColorScheme(terminal.outColours())
        .setParameterExceptionHandler((wrong, _) -> usageError(terminal, wrong))
        .setExecutionExceptionHandler((thrown, _, _) -> failure(terminal, thrown));
    try {
      return commandLine.execute(arguments);
    } catch (Throwable thrown) {
      // picocli hands over exceptions only; an OutOfMemoryError or a failed assert ends here.
      return failure(terminal, thrown);
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
    err.println(terminal.errColours().errorText("reprise: " + wrong.getMessage()));
    if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
      command.usage(err, terminal.errColours());
    }
    return CommandLine.ExitCode.USAGE;
  }

  private static int failure(Terminal terminal, Throwable thrown) {
    PrintWriter err = terminal.err();
    if (thrown instanceof UserError error) {
      err.println(terminal.errColours().errorText("reprise: " + error.cause()));
      printDetail(err, "found", error.found());
      printDetail(err, "fix", error.fix());
      return error.exitCode();
    }
    thrown.printStackTrace(err);
    err.println(terminal.errColours().errorText("reprise: this is a bug in Reprise"));
    return BUG;
  }

  private static void printDetail(PrintWriter err, String label, String text) {
    if (!text.isBlank()) {
      err.println("  " + label + ": " + text.strip().replace("\n", "\n    "));
    }
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
