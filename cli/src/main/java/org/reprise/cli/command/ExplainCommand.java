package org.reprise.cli.command;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.analysis.FailureStory;
import org.reprise.cli.option.ChosenRun;
import org.reprise.cli.option.JudgeOptions;
import org.reprise.cli.option.ReportOptions;
import org.reprise.cli.option.RunNames;
import org.reprise.cli.option.TrustOptions;
import org.reprise.cli.report.ExplanationText;
import org.reprise.cli.report.ViewedRuns;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.findings.SarifReport;
import org.reprise.launch.Engine;
import org.reprise.launch.explore.Explainer;
import org.reprise.launch.explore.Explanation;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.Permission;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code reprise explain}: which few receives make a run fail. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "Says which few receives, in which order, make a run fail.",
      "The program is run again and again: first to find the shortest beginning of the run after"
          + " which every run fails, then the fewest choices in it that no passing run has"
          + " together. Both orders are shown side by side; the passing run that differs the least"
          + " is kept, to be replayed.",
      "Exit status 66 means that a cause was found, 3 that no order that was tried passes."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise explain",
      "  reprise explain program-7 --against program-2",
      "  reprise explain program-7 --judge ./same.sh --max 100"
    })
public final class ExplainCommand implements Callable<Integer> {
  private static final int NONE_PASSES = 3;

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private ChosenRun run;

  @Mixin private TrustOptions trust;

  @Mixin private JudgeOptions judging;

  @Option(
      names = "--against",
      paramLabel = "RUN",
      completionCandidates = RunNames.class,
      description = "Compare with this run, which passes; else with the nearest that is found.")
  private Optional<String> against = Optional.empty();

  @Option(
      names = "--max",
      paramLabel = "N",
      defaultValue = "200",
      description = "Make at most N runs of the program; 200 if not given.")
  private long max;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description = "Take at most this time: 30s, 10m, 2h.")
  private Optional<String> time = Optional.empty();

  @Option(
      names = "--mpicc",
      paramLabel = "PATH",
      description = "The compiler of the program's MPI, where Reprise does not find it itself.")
  private Optional<Path> mpicc = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private StoryFormat format = StoryFormat.TEXT;

  enum StoryFormat {
    TEXT,
    JSON,
    SARIF,
    HTML
  }

  public ExplainCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (max < 2) {
      throw new ParameterException(spec.commandLine(), "--max must be 2 at least");
    }
    RecordedRun failing = RecordedRun.open(run.in(session));
    requireWhole(failing);
    Optional<RecordedRun> passing =
        against.map(name -> RecordedRun.open(session.store().find(Optional.of(name))));
    passing.ifPresent(ExplainCommand::requireWhole);
    return explain(failing, passing);
  }

  private static void requireWhole(RecordedRun run) {
    if (run.description().distilledFrom().isPresent()) {
      throw new UserError(
          "a distilled run cannot be explained",
          run.directory().name() + " holds only what a replay must force",
          "explain the run that it was made of: reprise explain "
              + run.description().distilledFrom().get());
    }
  }

  /** Explains a run, and says with which status to exit. */
  int explain(RecordedRun failing, Optional<RecordedRun> passing) {
    Permission permission = trust.permission(session);
    Explainer.Request request =
        new Explainer.Request(
            failing,
            passing,
            max,
            time.map(typed -> JudgeOptions.duration(typed, spec)),
            mpicc.map(session::resolve),
            judging.stallLimit(),
            judging.judge(session));
    try (ProgressLine progress = new ProgressLine(session.terminal());
        Explainer explainer =
            new Explainer(
                session.store(),
                told ->
                    Engine.of(
                        failing.description().mpi().family(),
                        new EngineContext(
                            session.surroundings(),
                            session.terminal().rankConsole(true),
                            told,
                            permission)),
                request,
                runs -> progress.show(Words.count(runs, "run") + " tried"))) {
      Explanation explanation = explainer.explain();
      FailureStory story =
          FailureStory.of(
              explanation.failing().execution(),
              session.events(explanation.failing().run()),
              explanation.passing().map(Explanation.Side::execution),
              explanation.cause(),
              explanation.beginning());
      progress.erase();
      print(failing, passing, explanation, story);
      return explanation.passing().isPresent() ? RacesCommand.FOUND : NONE_PASSES;
    }
  }

  private void print(
      RecordedRun failing,
      Optional<RecordedRun> passing,
      Explanation explanation,
      FailureStory story) {
    ExplanationText text =
        new ExplanationText(
            session.terminal(),
            failing.directory().name(),
            passing
                .map(given -> given.directory().name())
                .or(() -> explanation.passing().map(found -> found.run().directory().name())),
            explanation,
            story);
    switch (format) {
      case TEXT -> text.print();
      case JSON -> text.printJson();
      case SARIF ->
          SarifReport.print(text.report(), 1, ReportOptions.version(), session.terminal().out());
      case HTML ->
          session
              .terminal()
              .out()
              .print(new ViewedRuns(session).page(explanation.failing().run(), text.report(), 1));
    }
  }
}
