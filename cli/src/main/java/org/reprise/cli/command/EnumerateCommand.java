package org.reprise.cli.command;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.cli.option.EngineOptions;
import org.reprise.cli.option.Format;
import org.reprise.cli.option.JudgeOptions;
import org.reprise.cli.option.RunName;
import org.reprise.cli.report.EnumerationText;
import org.reprise.cli.terminal.ProgressLine;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.embedded.EmbeddedCommand;
import org.reprise.launch.embedded.EmbeddedEnumerator;
import org.reprise.launch.embedded.EnumerationReport;
import org.reprise.trace.text.Words;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code reprise enumerate}: every execution of a small program, and what they come to. */
@Command(
    name = "enumerate",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a small Java program in every order its messages allow.",
      "Two executions differ if a receive takes another message or a poll ends otherwise; timing"
          + " alone does not count. Of a loop of polls only a few failures in a row are tried."
          + " Executions that print the same and end alike are one outcome, and one of them is kept"
          + " for each outcome, to be replayed.",
      "Exit status 0 means one outcome and no failure, 1 several outcomes or a failure, 3 that"
          + " --max or --time ended the search before anything of that was seen."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise enumerate -n 3 Program.java",
      "  reprise enumerate -n 3 Program.java --sync-sends --time 10m --format json"
    })
public final class EnumerateCommand implements Callable<Integer> {
  private static final int TROUBLE = 1;
  private static final int CUT_OFF = 3;
  private static final String KEPT_BY_ITSELF = "50";

  private final Session session;

  @Spec private CommandSpec spec;

  @Mixin private EngineOptions engine;

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

  @Option(names = "--stop-at-first", description = "Stop at the first execution that fails.")
  private boolean stopAtFirst;

  @Option(
      names = "--keep",
      paramLabel = "N",
      defaultValue = KEPT_BY_ITSELF,
      description = "Keep a run for the first N outcomes; " + KEPT_BY_ITSELF + " if not given.")
  private int keep;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Call the runs NAME-1, NAME-2 and so on instead of after their program.")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "How to print: ${COMPLETION-CANDIDATES}.")
  private Format format = Format.TEXT;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "The Java program and its arguments; after -- every word is the program's.")
  private List<String> words;

  public EnumerateCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (max.orElse(1L) < 1 || keep < 0) {
      throw new ParameterException(
          spec.commandLine(), "--max must be above zero, --keep not below");
    }
    EmbeddedCommand command = engine.command(words, Optional.empty());
    name.ifPresent(wanted -> RunName.check(session.store(), wanted + "-1"));
    EnumerationReport enumeration;
    try (ProgressLine progress = new ProgressLine(session.terminal())) {
      enumeration =
          new EmbeddedEnumerator(session.store(), session.surroundings())
              .enumerate(
                  command,
                  max.orElse(Long.MAX_VALUE),
                  time.map(typed -> JudgeOptions.duration(typed, spec)),
                  stopAtFirst,
                  keep,
                  name,
                  (executions, outcomes) ->
                      progress.show(
                          Words.count(executions, "execution")
                              + ", "
                              + Words.count(outcomes, "outcome")));
    }
    EnumerationText text = new EnumerationText(session.terminal(), command, enumeration);
    switch (format) {
      case JSON -> text.printJson();
      case TEXT -> text.print();
    }
    if (enumeration.interrupted().isPresent()) {
      return enumeration.interrupted().getAsInt();
    }
    if (enumeration.showsTrouble()) {
      return TROUBLE;
    }
    return enumeration.complete() ? 0 : CUT_OFF;
  }
}
