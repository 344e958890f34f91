package org.reprise.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.reprise.cli.option.EngineOptions;
import org.reprise.cli.option.JudgeOptions;
import org.reprise.cli.option.ReportOptions;
import org.reprise.cli.report.ExplorationText;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.exploration.Exploration;
import org.reprise.findings.SarifReport;
import org.reprise.launch.Engine;
import org.reprise.launch.embedded.EmbeddedCommand;
import org.reprise.launch.explore.ExplorationReport;
import org.reprise.launch.explore.ExplorationRequest;
import org.reprise.launch.explore.Explorer;
import org.reprise.launch.process.LaunchCommand;
import org.reprise.launch.run.EngineContext;
import org.reprise.launch.run.Permission;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.UserError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code reprise explore}: runs a program in all orders of its messages. */
@Command(
    name = "explore",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a program in all orders of its messages.",
      "Every receive and probe that could get another message gets it once, in every combination"
          + " that is possible, and each order is run once. Executions that end alike and print the"
          + " same are one outcome; the shortest run of each outcome is kept, to be replayed."
          + " Polls, and calls that choose one of several requests, are answered as it happens,"
          + " unless --polls is given.",
      "Exit status 66 means that some order fails, 3 that none did and orders are left, 0 that all"
          + " were tried and none fails."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise explore mpirun -n 4 ./program input.dat",
      "  reprise explore --time 10m --stop-at-first -- mpirun -n 4 ./program",
      "  reprise explore -n 4 Program.java",
      "  reprise explore --resume"
    })
public final class ExploreCommand implements Callable<Integer> {
  private static final int LEFT = 3;
  private static final int INTERRUPTED = 130;
  private static final String LATEST = "latest";

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private EngineOptions java;

  @Mixin private JudgeOptions judging;

  @Option(
      names = "--max",
      paramLabel = "N",
      description = "Stop after N executions, redundant ones included.")
  private Optional<Long> max = Optional.empty();

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description = "Stop after this time: 30s, 10m, 2h.")
  private Optional<String> time = Optional.empty();

  @Option(
      names = "--bound",
      paramLabel = "K",
      description =
          "Only orders in which at most K receives get another message than in the first run.")
  private Optional<Integer> bound = Optional.empty();

  @Option(
      names = "--polls",
      paramLabel = "N",
      arity = "0..1",
      fallbackValue = "1",
      description =
          "Also try other answers of Test*, Iprobe and Improbe, and other choices of Waitany,"
              + " Waitsome, Testany and Testsome. The same poll fails at most N times in a row"
              + " where it need not, 1 if not given.")
  private Optional<Integer> polls = Optional.empty();

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Which of the orders that promise as much comes first; 1 if not given.")
  private long seed;

  @Option(names = "--stop-at-first", description = "Stop at the first order that fails.")
  private boolean stopAtFirst;

  @Option(
      names = "--keep",
      paramLabel = "N",
      defaultValue = "50",
      description = "Keep a run for the first N outcomes; 50 if not given.")
  private int keep;

  @Option(
      names = "--prefer",
      paramLabel = "WHAT",
      defaultValue = "new",
      description =
          "Which order comes next: one with outcomes that were not seen together (new, if not"
              + " given), one that changes a receive at a line where the fewest were changed"
              + " (lines), or any (random).")
  private Exploration.Preference preference = Exploration.Preference.NEW;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "1",
      description = "MPI: run N executions at once; 1 if not given.")
  private int jobs;

  @Option(
      names = "--private-dir",
      description =
          "MPI: run each execution in a copy of this directory, for programs that write files.")
  private boolean privateDirectory;

  @Option(
      names = "--resume",
      paramLabel = "NAME",
      arity = "0..1",
      fallbackValue = LATEST,
      description = "Go on with an exploration that was interrupted; the latest if not named.")
  private Optional<String> resume = Optional.empty();

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
  private ExplorationFormat format = ExplorationFormat.TEXT;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "What to run, from mpirun or the Java program on; every word is its own.")
  private List<String> words = List.of();

  enum ExplorationFormat {
    TEXT,
    JSON,
    JUNIT,
    SARIF
  }

  public ExploreCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (words.isEmpty() == resume.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "give a command to explore, or --resume to go on with one");
    }
    if (max.orElse(1L) < 1 || bound.orElse(1) < 1 || polls.orElse(1) < 1 || keep < 0 || jobs < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--max, --bound, --polls and --jobs must be above zero, --keep not below");
    }
    if (bound.isPresent() && polls.isPresent()) {
      throw new ParameterException(
          spec.commandLine(),
          "--bound counts receives that get another message, not polls: leave out --polls");
    }
    Optional<String> going = resume.map(this::chosen);
    Optional<EmbeddedCommand> embedded =
        going.isEmpty() && java.areMeant(words)
            ? Optional.of(java.command(words, Optional.empty()))
            : Optional.empty();
    List<String> command =
        going
            .map(name -> Explorer.command(session.store(), name))
            .orElseGet(() -> embedded.map(each -> each.words("record")).orElse(words));
    boolean ours = embedded.isPresent() || command.getFirst().equals("reprise");
    if (ours && (jobs > 1 || privateDirectory)) {
      throw new UserError(
          "ranks of a Java program share a process with Reprise",
          jobs > 1 ? "--jobs " + jobs : "--private-dir",
          "leave it out: its ranks use all cores already, and a process has one directory");
    }
    ExplorationRequest request =
        new ExplorationRequest(
            command,
            terms(),
            ours
                ? EmbeddedCommand.parse(command).program().name()
                : LaunchCommand.parse(command, session.surroundings()).programName(),
            mpicc.map(session::resolve),
            max.map(OptionalLong::of).orElseGet(OptionalLong::empty),
            time.map(typed -> JudgeOptions.duration(typed, spec)),
            bound.map(OptionalInt::of).orElseGet(OptionalInt::empty),
            polls.orElse(0),
            seed,
            stopAtFirst,
            preference,
            jobs,
            privateDirectory ? Optional.of(session.directory()) : Optional.empty(),
            judging.stallLimit(),
            keep,
            judging.judge(session));
    ExplorationReport report = explore(request, going, ours);
    report.outcomes().stream()
        .flatMap(counted -> counted.run().stream())
        .findFirst()
        .ifPresent(session.store()::setLatest);
    ExplorationText text =
        new ExplorationText(session.terminal(), command, judging.terms(session), report);
    switch (format) {
      case TEXT -> text.print();
      case JSON -> text.printJson();
      case JUNIT -> text.printJunit();
      case SARIF ->
          SarifReport.print(text.report(), keep, ReportOptions.version(), session.terminal().out());
    }
    if (report.interrupted()) {
      return INTERRUPTED;
    }
    return report.showsFailure() ? RacesCommand.FOUND : report.complete() ? 0 : LEFT;
  }

  /** What a search that goes on must be told again. */
  private List<String> terms() {
    List<String> terms = new ArrayList<>();
    bound.ifPresent(most -> terms.addAll(List.of("--bound", most.toString())));
    polls.ifPresent(most -> terms.addAll(List.of("--polls", most.toString())));
    terms.addAll(judging.terms(session));
    if (privateDirectory) {
      terms.add("--private-dir");
    }
    return terms;
  }

  private ExplorationReport explore(
      ExplorationRequest request, Optional<String> going, boolean ours) {
    try (ProgressLine progress = new ProgressLine(session.terminal())) {
      Explorer explorer =
          new Explorer(
              session.store(),
              told ->
                  Engine.of(
                      ours ? MpiFamily.EMBEDDED : MpiFamily.OTHER,
                      new EngineContext(
                          java.surroundings(session),
                          session.terminal().rankConsole(true),
                          told,
                          Permission.OWN)),
              standing -> progress.show(ExplorationText.progress(standing)));
      return going.isPresent() ? explorer.resume(request, going.get()) : explorer.explore(request);
    }
  }

  private String chosen(String wanted) {
    List<String> unfinished = Explorer.unfinished(session.store());
    if (wanted.equals(LATEST) && !unfinished.isEmpty()) {
      return unfinished.getLast();
    }
    if (!unfinished.contains(wanted)) {
      throw new UserError(
          "there is no such exploration to go on with",
          wanted.equals(LATEST) ? "none was interrupted" : wanted,
          unfinished.isEmpty()
              ? "explore a command: reprise explore mpirun -n 4 ./program"
              : "these can be continued: " + String.join(", ", unfinished));
    }
    return wanted;
  }
}
