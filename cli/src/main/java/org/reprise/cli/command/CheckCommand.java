package org.reprise.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.reprise.analysis.CheckReport;
import org.reprise.anomaly.report.Mask;
import org.reprise.cli.option.ReportOptions;
import org.reprise.cli.option.ReportOptions.Format;
import org.reprise.cli.report.SourceRoots;
import org.reprise.cli.terminal.Session;
import org.reprise.findings.Report;
import org.reprise.findings.SarifReport;
import org.reprise.findings.Suppression;
import org.reprise.launch.check.CheckedRun;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.UserError;
import org.reprise.viewer.page.AnomaliesPage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise check}: one run says whether a Java program depends on its schedule. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Tells from one run if a Java program depends on its schedule.",
      "The verdict is \"validated\" (every schedule computes the same on this input),"
          + " \"anomalies\", each with both lines of the source, or \"not validated\" with what"
          + " prevents validation. The exit status is 66 with anomalies, else the program's own,"
          + " and 69 if that is 0 and the run is not validated."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  reprise check java -jar app.jar",
      "  reprise check --include com.acme. --mask intended.txt java -jar app.jar",
      "  reprise check --jitter 7 --workers 5 java -jar app.jar"
    })
public final class CheckCommand implements Callable<Integer> {
  static final int ANOMALIES = 66;
  static final int NOT_VALIDATED = 69;

  private static final String PARALLELISM =
      "-Djava.util.concurrent.ForkJoinPool.common.parallelism=";

  /** What a pool of the JDK can have at most. */
  private static final int WORKERS_MAX = 32767;

  private final Session session;

  @Option(
      names = "--include",
      paramLabel = "PREFIX",
      description = "Check only classes whose names begin so; may be given several times.")
  private List<String> included = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "PREFIX",
      description = "Leave classes out whose names begin so.")
  private List<String> excluded = new ArrayList<>();

  @Option(
      names = "--trusting",
      paramLabel = "PREFIX",
      description =
          "Take classes whose names begin so for granted: they are not checked, and the verdict"
              + " says that it trusts them.")
  private List<String> trusted = new ArrayList<>();

  @Option(
      names = {"--mask", "--suppressions"},
      paramLabel = "FILE",
      description =
          "Leave out the findings that this file names, one a line: rule:pattern, a class, a field "
              + "or method with its class, or the id of a finding.")
  private Optional<Path> mask = Optional.empty();

  @Option(names = "--stacks", description = "Show the calls above both accesses.")
  private boolean stacks;

  @Option(
      names = "--precise",
      description = "Run again if there are findings, and check every access by itself.")
  private boolean precise;

  @Option(
      names = "--analyze",
      description =
          "Analyse the whole program before it runs, and drop checks of what nothing writes in"
              + " parallel.")
  private boolean analyze;

  @Option(
      names = "--slice",
      description = "Skip what the program prints to standard output: it decides no access.")
  private boolean slice;

  @Option(names = "--explain", description = "Tell which checks were dropped or became ranges.")
  private boolean explain;

  @Option(
      names = "--jitter",
      paramLabel = "SEED",
      description = "Make pauses where the JDK forks and joins, to see another schedule.")
  private Optional<Long> jitter = Optional.empty();

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "How many workers the common pool has: those of parallel streams.")
  private Optional<Integer> workers = Optional.empty();

  @Mixin private ReportOptions output;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "What to run; every word from here belongs to it.")
  private List<String> command;

  public CheckCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (command.getFirst().endsWith(".java")) {
      throw new UserError(
          "a source file is not a command",
          command.getFirst(),
          "write reprise check java " + command.getFirst());
    }
    List<String> options = options();
    Path agent = CheckedRun.installedAgent(lib());
    Surroundings surroundings = session.surroundings();
    CheckedRun run =
        precise
            ? CheckedRun.twice(command, agent, options, surroundings, session.terminal()::tell)
            : CheckedRun.of(command, agent, options, surroundings);
    CheckReport found = new CheckReport(run);
    if (output.format() == Format.TEXT && !output.toFile()) {
      found.lines().forEach(session.terminal()::tell);
    } else {
      found.unmatched().forEach(session.terminal()::tell);
      output.write(printed(found), session);
    }
    return switch (found.word()) {
      case ANOMALIES -> ANOMALIES;
      case VALIDATED -> 0;
      case NOT_VALIDATED -> run.exitStatus() == 0 ? NOT_VALIDATED : run.exitStatus();
    };
  }

  private String printed(CheckReport found) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    Report report = found.report(String.join(" ", command));
    switch (output.format()) {
      case TEXT -> found.lines().forEach(out::println);
      case JSON -> out.println(found.json());
      case SARIF -> SarifReport.print(report, Integer.MAX_VALUE, ReportOptions.version(), out);
      case HTML ->
          out.print(AnomaliesPage.of(report, Integer.MAX_VALUE, SourceRoots.of(session, command)));
    }
    return text.toString();
  }

  private List<String> options() {
    List<String> options = new ArrayList<>();
    included.forEach(prefix -> options.add("include=" + prefix));
    excluded.forEach(prefix -> options.add("exclude=" + prefix));
    trusted.forEach(prefix -> options.add("trusting=" + prefix));
    jitter.ifPresent(seed -> options.add("jitter=" + seed));
    workers.ifPresent(number -> options.add(PARALLELISM + inRange(number)));
    mask.ifPresent(file -> options.add("mask=" + readable(file)));
    if (stacks) {
      options.add("stacks");
    }
    if (analyze) {
      options.add("analyze");
    }
    if (slice) {
      options.add("slice");
    }
    if (explain) {
      options.add("explain");
    }
    return options;
  }

  private static int inRange(int number) {
    if (number < 1 || number > WORKERS_MAX) {
      throw new UserError(
          "the common pool cannot have so many workers",
          String.valueOf(number),
          "give --workers a number from 1 to " + WORKERS_MAX);
    }
    return number;
  }

  private Path readable(Path file) {
    Path path = session.directory().resolve(file);
    if (!Files.exists(path)) {
      throw new UserError(
          "there is no mask file " + path, "", "check its name, or leave out --mask");
    }
    if (!Files.isReadable(path)) {
      throw new UserError(
          "the mask file cannot be read", path + ", which you may not read", "check who owns it");
    }
    requireEntries(path);
    return path;
  }

  private static void requireEntries(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        String entry = Mask.withoutComment(lines.get(i));
        if (entry.contains(":")) {
          Suppression.of(file, i + 1, entry);
        } else if (entry.contains(" ") || entry.contains("\t")) {
          throw new UserError(
              "a line of the mask file is not an entry",
              file + ":" + (i + 1) + ": " + entry,
              "write rule:pattern, or one class, package.*, field, method or id of a finding a"
                  + " line");
        }
      }
    } catch (IOException e) {
      throw new UserError(
          "the mask file cannot be read", file + ": " + e.getMessage(), "check what it is");
    }
  }

  /** The directory with Reprise's own jars. */
  private static Path lib() {
    try {
      Path own =
          Path.of(CheckCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path parent = own.getParent();
      return parent == null ? own : parent;
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
