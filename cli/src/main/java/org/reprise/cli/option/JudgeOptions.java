package org.reprise.cli.option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reprise.cli.terminal.Session;
import org.reprise.launch.explore.OutputJudge;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How commands that run a program many times tell what each run came to. */
public final class JudgeOptions {
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h|)");

  private static final long STALL_SECONDS = 10;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--judge",
      paramLabel = "SCRIPT",
      description =
          "Let a script say what an execution came to: it gets the output and, as an argument, the"
              + " exit status. What it prints tells outcomes apart; its exit status 0 means a good"
              + " one.")
  private Optional<Path> judge = Optional.empty();

  @Option(
      names = "--ignore",
      paramLabel = "FILE",
      description = "Leave out of the output what matches a regular expression of this file.")
  private Optional<Path> ignore = Optional.empty();

  @Option(
      names = "--stall-limit",
      paramLabel = "SECONDS",
      description = "End an execution when no rank could go on for so long; 10 if not given.")
  private Optional<Long> stallLimit = Optional.empty();

  /** Whether the user said anything of it. */
  public boolean areGiven() {
    return judge.isPresent() || ignore.isPresent() || stallLimit.isPresent();
  }

  /** The same options for another command. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    judge.ifPresent(script -> words.addAll(List.of("--judge", script.toString())));
    ignore.ifPresent(file -> words.addAll(List.of("--ignore", file.toString())));
    stallLimit.ifPresent(limit -> words.addAll(List.of("--stall-limit", limit.toString())));
    return words;
  }

  /** Those that say which outcomes are the same, wherever they are typed. */
  public List<String> terms(Session session) {
    List<String> terms = new ArrayList<>();
    judge.ifPresent(script -> terms.addAll(List.of("--judge", session.resolve(script).toString())));
    ignore.ifPresent(file -> terms.addAll(List.of("--ignore", session.resolve(file).toString())));
    return terms;
  }

  public OutputJudge judge(Session session) {
    return OutputJudge.of(
        ignore.map(session.directory()::resolve), judge.map(session.directory()::resolve));
  }

  public Duration stallLimit() {
    if (stallLimit.orElse(STALL_SECONDS) < 1) {
      throw new ParameterException(spec.commandLine(), "--stall-limit must be above zero");
    }
    return Duration.ofSeconds(stallLimit.orElse(STALL_SECONDS));
  }

  /** A time as it is typed: 30s, 10m, 2h. */
  public static Duration duration(String typed, CommandSpec spec) {
    Matcher parts = TIME.matcher(typed);
    if (!parts.matches()) {
      throw new ParameterException(
          spec.commandLine(), "--time wants a number with s, m or h behind: 30s, 10m, 2h");
    }
    long number = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofSeconds(number);
    };
  }
}
