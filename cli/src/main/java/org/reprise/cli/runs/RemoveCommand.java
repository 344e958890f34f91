package org.reprise.cli.runs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.reprise.cli.option.RunNames;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.UserError;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunStore;
import org.reprise.trace.text.ShellWords;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise rm}: removes runs, all that are named or none. */
@Command(
    name = "rm",
    mixinStandardHelpOptions = true,
    description = {
      "Removes runs.",
      "Names must be whole here; if one of them is wrong, nothing is removed, unless -f is given."
    },
    footerHeading = "%nExample:%n",
    footer = "  reprise rm program-1 program-2")
public final class RemoveCommand implements Callable<Integer> {
  private final Session session;

  @Option(
      names = {"-f", "--force"},
      description = "Ignore names of which there is no run.")
  private boolean force;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      completionCandidates = RunNames.class,
      description = "A run's name or its directory.")
  private List<String> names;

  public RemoveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    RunStore store = session.store();
    Set<RunDirectory> runs = new LinkedHashSet<>();
    Set<String> unknown = new LinkedHashSet<>();
    for (String name : names) {
      exactly(store, name).ifPresentOrElse(runs::add, () -> unknown.add(name));
    }
    if (!unknown.isEmpty() && !force) {
      throw new UserError(
          "there is no run " + String.join(", ", unknown.stream().map(ShellWords::quote).toList()),
          "not in " + store.home() + "; nothing was removed",
          "reprise ls shows all");
    }
    for (RunDirectory run : runs) {
      LiveRecorder.of(run)
          .ifPresent(
              pid -> {
                throw new UserError(
                    run.name() + " is still being recorded",
                    "process " + pid + " writes it; nothing was removed",
                    "wait until it ends, or end that process");
              });
    }
    for (RunDirectory run : runs) {
      storeOf(run).remove(run);
      session.terminal().out().println("removed " + run.name());
    }
    return 0;
  }

  /** No beginnings of names here, unlike elsewhere: a slip would cost a recording. */
  private static Optional<RunDirectory> exactly(RunStore store, String name) {
    if (name.contains("/")) {
      Path path = Path.of(name);
      return Files.isRegularFile(path.resolve("run.json"))
          ? Optional.of(new RunDirectory(path))
          : Optional.empty();
    }
    if (name.equals("latest")) {
      return store.list().isEmpty() ? Optional.empty() : Optional.of(store.latest());
    }
    return store.list().stream().filter(run -> run.name().equals(name)).findFirst();
  }

  /** The store around a run, so that its link to the latest run is mended too. */
  private static RunStore storeOf(RunDirectory run) {
    Path parent = run.path().getParent();
    return new RunStore(parent == null ? run.path() : parent);
  }
}
