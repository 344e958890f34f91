package org.reprise.cli.command;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.option.RunNames;
import org.reprise.cli.report.ViewedRuns;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.run.RecordedRun;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.answer.Comparison;
import org.reprise.viewer.export.ExportFormat;
import org.reprise.viewer.page.ViewServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise view}: a run in the browser. */
@Command(
    name = "view",
    mixinStandardHelpOptions = true,
    description = {
      "Shows a run in the browser: who waits for whom, and what races.",
      "The page is served to this machine only, under an address that nobody can guess, until "
          + "Ctrl-C. A run that was recorded without events is replayed once to learn them."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise view",
      "  reprise view program-3 --no-open --port 8700",
      "  reprise view program-3 --compare program-4",
      "  reprise view program-3 -o run.html"
    })
public final class ViewCommand implements Callable<Integer> {
  private static final int PORT_MAX = 65535;

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Mixin private LearnOptions learning;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Listen on this port of the loopback interface; a free one if not given.")
  private int port;

  @Option(names = "--no-open", description = "Print the address, and open no browser.")
  private boolean noOpen;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Write the page into this one file instead, as reprise export does, and serve nothing.")
  private Optional<Path> output = Optional.empty();

  @Option(
      names = "--compare",
      paramLabel = "OTHER",
      completionCandidates = RunNames.class,
      description = "Show this run beside it, and where the two first differ.")
  private Optional<String> compared = Optional.empty();

  public ViewCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (port < 0 || port > PORT_MAX) {
      throw new ParameterException(spec.commandLine(), "--port must be from 0 to " + PORT_MAX);
    }
    if (output.isPresent() && compared.isPresent()) {
      throw new ParameterException(spec.commandLine(), "--compare needs the server: leave out -o");
    }
    RecordedRun recorded = RecordedRun.open(run.in(session));
    int learned = learning.learn(recorded, session);
    ViewedRuns views = new ViewedRuns(session);
    if (output.isPresent()) {
      Path file = session.resolve(output.get());
      views.write(recorded, ExportFormat.HTML, Optional.of(file));
      return learned;
    }
    Optional<RecordedRun> other =
        compared.map(name -> RecordedRun.open(session.store().find(Optional.of(name))));
    int learnedOther = other.map(run -> learning.learn(run, session)).orElse(0);
    ViewedRun viewed = views.of(recorded);
    try (ViewServer server =
        other
            .map(views::of)
            .map(second -> ViewServer.start(new Comparison(viewed, second), port))
            .orElseGet(() -> ViewServer.start(viewed, port))) {
      Terminal terminal = session.terminal();
      terminal.out().println(server.address());
      terminal.out().flush();
      boolean remote = session.environment().containsKey("SSH_CONNECTION");
      if (remote) {
        terminal.tell(
            "on your own machine: ssh -L %d:127.0.0.1:%d HOST, then open that address there"
                .formatted(server.port(), server.port()));
      } else if (!noOpen && !open(server.address())) {
        terminal.tell("no browser was found; open that address in one");
      }
      terminal.tell("Ctrl-C ends it");
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    return learned != 0 ? learned : learnedOther;
  }

  /** Opens an address in the user's browser; false if there is none. */
  private boolean open(URI address) {
    boolean display =
        session.environment().containsKey("DISPLAY")
            || session.environment().containsKey("WAYLAND_DISPLAY");
    for (Path directory :
        Arrays.stream(session.environment().getOrDefault("PATH", "").split(":"))
            .map(Path::of)
            .toList()) {
      Path opener = directory.resolve("xdg-open");
      if (display && Files.isExecutable(opener)) {
        try {
          new ProcessBuilder(opener.toString(), address.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
          return true;
        } catch (IOException e) {
          return false;
        }
      }
    }
    return false;
  }
}
