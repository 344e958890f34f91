package org.reprise.cli.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.analysis.RunEvents;
import org.reprise.analysis.RunRaces;
import org.reprise.causality.Progress;
import org.reprise.causality.races.Races;
import org.reprise.causality.races.Statistics;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.LearnOptions;
import org.reprise.cli.option.ReportOptions;
import org.reprise.cli.option.ReportOptions.Format;
import org.reprise.cli.report.RaceStatistics;
import org.reprise.cli.report.ViewedRuns;
import org.reprise.cli.terminal.AnalysisProgress;
import org.reprise.cli.terminal.Session;
import org.reprise.findings.JsonReport;
import org.reprise.findings.Report;
import org.reprise.findings.Rule;
import org.reprise.findings.SarifReport;
import org.reprise.findings.Suppressions;
import org.reprise.findings.TextReport;
import org.reprise.trace.run.RecordedRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise races}: the receives of a run that could have taken another message. */
@Command(
    name = "races",
    mixinStandardHelpOptions = true,
    description = {
      "Finds receives of a run that could have taken another message.",
      "One run tells about every order that it could have had: nothing needs to go wrong in it. "
          + "A run that was recorded without events is replayed once to learn them. "
          + "Exit status 66 means that something races."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise races",
      "  reprise races program-3 --suppressions races.txt --format sarif -o out.sarif",
      "  reprise races --stats"
    })
public final class RacesCommand implements Callable<Integer> {
  /** As ThreadSanitizer's: something was found. */
  static final int FOUND = 66;

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Mixin private LearnOptions learning;

  @Mixin private ReportOptions options;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Print N findings at most; 100 if not given.")
  private int limit = 100;

  @Option(
      names = "--suppressions",
      paramLabel = "FILE",
      description = "Leave out the findings that this file names: they are intended.")
  private Optional<Path> suppressions = Optional.empty();

  @Option(
      names = "--stack",
      paramLabel = "N",
      description = "Learn the events again, with N stack frames each.")
  private Optional<Integer> stack = Optional.empty();

  @Option(
      names = "--stats",
      description = "Print instead how much of the run is open, and how little must be recorded.")
  private boolean stats;

  public RacesCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (limit < 0) {
      throw new ParameterException(spec.commandLine(), "--limit must not be negative");
    }
    if (stack.orElse(1) < 1 || stack.orElse(1) > RecordCommand.FRAMES_MAX) {
      throw new ParameterException(
          spec.commandLine(), "--stack must be from 1 to " + RecordCommand.FRAMES_MAX);
    }
    if (stats && (options.format() == Format.SARIF || options.format() == Format.HTML)) {
      throw new ParameterException(spec.commandLine(), "--stats are text or json");
    }
    Suppressions intended =
        suppressions
            .map(file -> Suppressions.read(session.resolve(file), Rule.OF_RACES))
            .orElse(Suppressions.NONE);
    RecordedRun recorded = RecordedRun.open(run.in(session));
    int learned = learning.learn(recorded, stack, Optional.empty(), session);
    RunEvents events = session.events(recorded);
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    Optional<Report> analysed = analyse(recorded, events, intended, out);
    if (analysed.isEmpty()) {
      options.write(text.toString(), session);
      return learned;
    }
    Report report = analysed.get();
    switch (options.format()) {
      case TEXT -> TextReport.print(report, limit, out);
      case JSON -> JsonReport.print(report, limit, out);
      case SARIF -> SarifReport.print(report, limit, ReportOptions.version(), out);
      case HTML -> out.print(new ViewedRuns(session).page(recorded, report, limit));
    }
    options.write(text.toString(), session);
    return learned != 0 ? learned : report.findings().isEmpty() ? 0 : FOUND;
  }

  /** The report; none where only numbers are asked for, which are printed. */
  private Optional<Report> analyse(
      RecordedRun recorded, RunEvents events, Suppressions intended, PrintWriter out) {
    try (AnalysisProgress progress =
        new AnalysisProgress(session.terminal(), Progress.Pass.RACES)) {
      RunRaces races = RunRaces.of(recorded, events, progress);
      if (!stats) {
        return Optional.of(races.report(intended));
      }
      Statistics statistics = Statistics.of(Races.of(races.graph()), races.controlSet());
      if (options.format() == Format.JSON) {
        RaceStatistics.json(statistics, races.claims(), out);
      } else {
        RaceStatistics.text(statistics, races.claims(), out);
      }
      return Optional.empty();
    }
  }
}
