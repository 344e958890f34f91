package org.reprise.cli.runs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.reprise.cli.option.RunNames;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code reprise keep}: makes an automatic run one that the user asked for. */
@Command(
    name = "keep",
    mixinStandardHelpOptions = true,
    description = {
      "Keeps automatic runs until they are removed by hand.",
      "Runs that reprise always recorded are removed when there are too many of them. One that is"
          + " kept is like one that reprise record made."
    },
    footerHeading = "%nExample:%n",
    footer = {"  reprise keep program-7", "  reprise keep failed"})
public final class KeepCommand implements Callable<Integer> {
  private final Session session;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      completionCandidates = RunNames.class,
      description = "A run's name or its directory; failed is the latest that failed.")
  private List<String> names;

  public KeepCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Set<RunDirectory> runs = new LinkedHashSet<>();
    for (String name : names) {
      runs.add(session.store().find(Optional.of(name)));
    }
    for (RunDirectory run : runs) {
      RunDescription known = run.description();
      if (known.automatic()) {
        run.describe(known.with().automatic(false).build());
      }
      session.terminal().out().println("kept " + run.name());
    }
    return 0;
  }
}
