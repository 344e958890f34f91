package org.reprise.launch.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.anomaly.report.AnomalyVerdict;
import org.reprise.anomaly.report.Conflict;
import org.reprise.anomaly.report.Obstacle;
import org.reprise.launch.process.Job;
import org.reprise.launch.process.PreparedCommand;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.UserError;

/**
 * A run of a Java program under the anomaly agent: how the program ended, and what each virtual
 * machine that it started found.
 *
 * @param exitStatus the program's own, 128 + n after signal n
 */
public record CheckedRun(int exitStatus, List<AnomalyReport> reports) {
  private static final String TOOL_OPTIONS = "JAVA_TOOL_OPTIONS";
  private static final String AGENT = "reprise-anomaly-agent-";

  private static final Obstacle NO_REPORT =
      new Obstacle("no virtual machine reported; it was killed, or the command starts none");

  public CheckedRun {
    reports = List.copyOf(reports);
  }

  /**
   * Runs a command. Where its first word is {@code java}, the agent is named on its command line;
   * everything else, such as Maven, hands it on to the virtual machines it starts through the
   * environment.
   *
   * @param options for the agent, as {@code include=com.acme}, and for the virtual machine, as
   *     {@code -Dname=value}
   */
  public static CheckedRun of(
      List<String> command, Path agent, List<String> options, Surroundings surroundings) {
    return of(command, agent, options, surroundings, Optional.empty());
  }

  /**
   * As {@link #of}, and once more if there are findings: on the same standard input, with every
   * access checked by itself. The second run may go another way, on files that the first one left
   * or by its own race, so it takes the place of the first only if it finds all of it again.
   */
  public static CheckedRun twice(
      List<String> command,
      Path agent,
      List<String> options,
      Surroundings surroundings,
      Consumer<String> messages) {
    Path directory = temporaryDirectory();
    try {
      Path input = directory.resolve("input");
      CheckedRun first = of(command, agent, options, surroundings, Optional.of(input));
      if (first.variables().isEmpty()) {
        return first;
      }
      List<String> precise = new ArrayList<>(options);
      precise.add("precise");
      Surroundings same =
          Files.exists(input)
              ? surroundings.withInput(new StandardInput.Kept(input))
              : surroundings;
      messages.accept("there are findings: the program runs again, every access checked by itself");
      CheckedRun second = of(command, agent, precise, same);
      if (second.variables().containsAll(first.variables())) {
        return second;
      }
      messages.accept("the second run did not find all of this again: the first run is shown");
      return first;
    } finally {
      remove(directory);
    }
  }

  /** What the reports of all virtual machines say together. */
  public AnomalyVerdict verdict() {
    AnomalyVerdict reported =
        AnomalyVerdict.ofAll(reports.stream().map(AnomalyReport::verdict).toList());
    List<Obstacle> obstacles = new ArrayList<>(reported.obstacles());
    if (reports.isEmpty()) {
      obstacles.add(NO_REPORT);
    } else if (exitStatus != 0 && obstacles.stream().noneMatch(Obstacle::isOfEnding)) {
      obstacles.add(Obstacle.endedWith("status " + exitStatus));
    }
    return new AnomalyVerdict(
        reported.anomalies(),
        reported.lockOrdered(),
        List.copyOf(obstacles),
        reported.masked(),
        reported.unmatched(),
        reported.commuting(),
        reported.trusted());
  }

  /** The variables that something was found about. */
  private Set<String> variables() {
    AnomalyVerdict verdict = verdict();
    return Stream.concat(verdict.anomalies().stream(), verdict.lockOrdered().stream())
        .map(Conflict::variable)
        .collect(Collectors.toSet());
  }

  private static CheckedRun of(
      List<String> command,
      Path agent,
      List<String> options,
      Surroundings surroundings,
      Optional<Path> keepInput) {
    Path directory = temporaryDirectory();
    try {
      List<String> all = new ArrayList<>();
      List<String> flags = new ArrayList<>();
      options.forEach(option -> (option.startsWith("-") ? flags : all).add(option));
      all.add("report=" + directory);
      flags.add("-javaagent:" + agent + "=" + String.join(",", all));
      Map<String, String> environment = new HashMap<>(surroundings.environment());
      List<String> words = new ArrayList<>(command);
      if (Path.of(command.getFirst()).endsWith("java")) {
        words.addAll(1, flags);
      } else {
        String flag = String.join(" ", flags);
        if (flags.stream().anyMatch(each -> each.contains(" "))) {
          throw new UserError(
              "the agent cannot be passed on, since its path has a space",
              flag,
              "give java itself as the command, or install Reprise elsewhere");
        }
        environment.merge(TOOL_OPTIONS, flag, (users, ours) -> users + " " + ours);
      }
      try (Job job =
          Job.start(
              new PreparedCommand(words, environment), surroundings, keepInput, Optional.empty())) {
        int status = job.waitFor();
        return new CheckedRun(status, reports(directory));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      remove(directory);
    }
  }

  /** The agent of this installation, which lies beside the classes of Reprise. */
  public static Path installedAgent(Path lib) {
    try (Stream<Path> files = Files.list(lib)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(AGENT))
          .findFirst()
          .orElseThrow(() -> noAgent(lib));
    } catch (IOException e) {
      throw noAgent(lib);
    }
  }

  private static UserError noAgent(Path lib) {
    return new UserError(
        "the anomaly agent is missing",
        "no " + AGENT + "*.jar in " + lib,
        "build Reprise again: rm -r cli/target, then ./reprise");
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("reprise-check");
    } catch (IOException e) {
      throw new UserError(
          "there is no room for what the agent finds",
          String.valueOf(e.getMessage()),
          "make room in the directory for temporary files, or set TMPDIR");
    }
  }

  /** A virtual machine in which nothing was checked counts only where there is no other. */
  private static List<AnomalyReport> reports(Path directory) throws IOException {
    List<AnomalyReport> verdicts = reports(directory, "verdict-");
    return verdicts.isEmpty() ? reports(directory, "idle-") : verdicts;
  }

  private static List<AnomalyReport> reports(Path directory, String prefix) throws IOException {
    List<AnomalyReport> reports = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        if (file.getFileName().toString().startsWith(prefix)) {
          reports.add(AnomalyReport.parse(Files.readString(file)));
        }
      }
    }
    return reports;
  }

  private static void remove(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(directory);
    } catch (IOException e) {
      // A virtual machine that still writes; the system empties this directory in its own time.
      directory.toFile().deleteOnExit();
    }
  }
}
