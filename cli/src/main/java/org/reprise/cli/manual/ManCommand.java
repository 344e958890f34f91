package org.reprise.cli.manual;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code reprise man}: manual pages, made from the same model as the help. */
@Command(
    name = "man",
    mixinStandardHelpOptions = true,
    description = "Prints the manual page of Reprise or of one of its commands.",
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise man | man -l -",
      "  reprise man record | man -l -",
      "  reprise man --install ~/.local/share/man"
    })
public final class ManCommand implements Callable<Integer> {
  private final Session session;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "COMMAND",
      description = "The command; Reprise as a whole if none is given.")
  private Optional<String> command = Optional.empty();

  @Option(
      names = "--install",
      paramLabel = "DIR",
      description = "Write all pages into the directory man1 below DIR instead.")
  private Optional<Path> install = Optional.empty();

  public ManCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    if (install.isPresent()) {
      write(root, install.get());
    } else {
      session.terminal().out().print(new ManPage(wanted(root)).roff());
    }
    return 0;
  }

  private CommandSpec wanted(CommandLine root) {
    if (command.isEmpty()) {
      return root.getCommandSpec();
    }
    CommandLine found = root.getSubcommands().get(command.get());
    if (found == null) {
      throw new ParameterException(
          spec.commandLine(), "There is no command '" + command.get() + "'");
    }
    return found.getCommandSpec();
  }

  private void write(CommandLine root, Path directory) {
    Path pages = session.directory().resolve(directory).resolve("man1");
    try {
      Files.createDirectories(pages);
      write(pages, root.getCommandSpec());
      for (CommandSpec each : ManPage.commands(root)) {
        write(pages, each);
      }
    } catch (IOException e) {
      throw new UserError(
          "cannot write manual pages to " + pages,
          String.valueOf(e.getMessage()),
          "give a directory you may write to, for instance ~/.local/share/man");
    }
  }

  private void write(Path pages, CommandSpec command) throws IOException {
    ManPage page = new ManPage(command);
    Path file = pages.resolve(page.name() + ".1");
    Files.writeString(file, page.roff());
    session.terminal().out().println(file);
  }
}
