package org.reprise.cli.command;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.reprise.analysis.Claims;
import org.reprise.analysis.RunEvents;
import org.reprise.causality.EventGraph;
import org.reprise.causality.Progress;
import org.reprise.causality.races.Races;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.terminal.AnalysisProgress;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.Rank;
import org.reprise.trace.UserError;
import org.reprise.trace.events.EventReader;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.run.EventsManifest;
import org.reprise.trace.run.RecordedRun;
import org.reprise.viewer.RankClocks;
import org.reprise.viewer.ViewedRun;
import org.reprise.viewer.page.SelfContainedPage;
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
      description = "Write the page of a small run into this one file instead, and serve nothing.")
  private Optional<Path> output = Optional.empty();

  public ViewCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (port < 0 || port > PORT_MAX) {
      throw new ParameterException(spec.commandLine(), "--port must be from 0 to " + PORT_MAX);
    }
    RecordedRun recorded = RecordedRun.open(run.in(session));
    int learned = learning.learn(recorded, session);
    ViewedRun viewed = viewed(recorded);
    if (output.isPresent()) {
      write(SelfContainedPage.of(viewed), session.resolve(output.get()));
      return learned;
    }
    try (ViewServer server = ViewServer.start(viewed, port)) {
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
    return learned;
  }

  private static void write(String page, Path file) {
    try {
      Files.writeString(file, page);
    } catch (IOException e) {
      throw new UserError(
          "the page cannot be written", file + ": " + e.getMessage(), "name another file with -o");
    }
  }

  private ViewedRun viewed(RecordedRun recorded) {
    RunEvents events = session.events(recorded);
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.RACES)) {
      EventGraph graph = events.graph(progress);
      Claims claims = Claims.of(recorded, events, graph);
      return new ViewedRun(
          recorded.directory().name(),
          recorded.description().command(),
          graph,
          Races.of(graph),
          Races.controlSet(graph),
          recorded.description().callNames(),
          (rank, site, call) -> events.stack(new Rank(rank), site, call).places(),
          clocks(recorded, events, graph),
          cutShort(recorded),
          claims.notes(Claims.Claim.NO_OTHER_ORDER),
          roots(recorded));
    }
  }

  private static RankClocks clocks(RecordedRun recorded, RunEvents events, EventGraph graph) {
    long[] origins = new long[graph.events().ranks()];
    String[] hosts = new String[origins.length];
    Arrays.fill(hosts, "");
    for (Rank rank : events.ranks()) {
      try (EventReader reader = recorded.directory().openEvents(rank)) {
        origins[rank.number()] = reader.header().get(HeaderField.START_NANOS);
        hosts[rank.number()] = reader.header().host();
      }
    }
    return RankClocks.of(graph, origins, List.of(hosts));
  }

  private static Set<Integer> cutShort(RecordedRun recorded) {
    Set<Integer> ranks = new HashSet<>();
    EventsManifest.of(recorded)
        .ifPresent(
            manifest ->
                manifest.ranks().stream()
                    .filter(
                        of -> of.end() != EventsManifest.End.WHOLE || !manifest.origin().isWhole())
                    .forEach(of -> ranks.add(of.rank().number())));
    return ranks;
  }

  /** Where a source file may lie that is named without its directory. */
  private static List<Path> roots(RecordedRun recorded) {
    Path directory = Path.of(recorded.description().directory());
    List<Path> roots = new ArrayList<>(List.of(directory));
    for (String word : recorded.description().command()) {
      if (word.matches("[^\0]{1,500}\\.java")) {
        Path file = directory.resolve(word);
        roots.add(file.getParent() == null ? directory : file.getParent());
      }
    }
    return roots;
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
