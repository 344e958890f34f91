package org.reprise.cli.command;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.report.ViewedRuns;
import org.reprise.cli.terminal.Session;
import org.reprise.trace.run.RecordedRun;
import org.reprise.viewer.export.ExportFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise export}: a run in the formats of other tools, and as pictures. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a run for other tools and other people.",
      "perfetto and chrome are for ui.perfetto.dev, shiviz for ShiViz, html is the page of reprise"
          + " view in one file, svg and dot are pictures, otf2 is a directory for Vampir and"
          + " Scalasca. A run that was recorded without events"
          + " is replayed once to learn them."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise export --format perfetto -o run.pftrace",
      "  reprise export program-3 --format html -o run.html",
      "  reprise export --format dot | dot -Tpdf -o run.pdf"
    })
public final class ExportCommand implements Callable<Integer> {
  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Mixin private LearnOptions learning;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      required = true,
      description = "What to write: ${COMPLETION-CANDIDATES}.")
  private ExportFormat format = ExportFormat.PERFETTO;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "Write to this file, or for otf2 into this directory; to standard output if not given.")
  private Optional<Path> output = Optional.empty();

  public ExportCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (output.isEmpty() && format.isDirectory()) {
      throw new ParameterException(spec.commandLine(), format + " is a directory: name it with -o");
    }
    if (output.isEmpty() && !format.isText() && session.terminal().outIsTerminal()) {
      throw new ParameterException(
          spec.commandLine(), format + " is not for a terminal: name a file with -o");
    }
    RecordedRun recorded = RecordedRun.open(run.in(session));
    int learned = learning.learn(recorded, session);
    new ViewedRuns(session).write(recorded, format, output.map(session::resolve));
    return learned;
  }
}
