package org.reprise.launch.explore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.launch.run.RunOutput;
import org.reprise.trace.UserError;

/**
 * Says which executions count as the same by what they print. Ranks of an MPI print into one
 * stream, and in which order their lines come is time and not order of messages: lines are sorted.
 * What matches a pattern is left out. Or the user's own script decides.
 */
public final class OutputJudge {
  private static final int TEXT_MAX = 1 << 16;

  private static final String MPICH_CRASH = "BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES";

  private static final Pattern MPICH_BANNER =
      Pattern.compile(
          "=+|=   .*|YOUR APPLICATION TERMINATED WITH THE EXIT STRING: .*"
              + "|This typically refers to a problem with your application\\."
              + "|Please see the FAQ page for debugging suggestions");

  private final List<Pattern> ignored;
  private final Optional<Path> script;

  private OutputJudge(List<Pattern> ignored, Optional<Path> script) {
    this.ignored = ignored;
    this.script = script;
  }

  /**
   * A judge.
   *
   * @param patterns a file with a regular expression in each line
   * @param script gets the output as its standard input and the exit status as its argument; what
   *     it prints tells outcomes apart, and its own exit status says whether it is a good one
   */
  public static OutputJudge of(Optional<Path> patterns, Optional<Path> script) {
    List<Pattern> ignored = new ArrayList<>();
    if (patterns.isPresent()) {
      try {
        for (String line : Files.readAllLines(patterns.get())) {
          if (!line.isBlank() && !line.startsWith("#")) {
            ignored.add(Pattern.compile(line));
          }
        }
      } catch (IOException e) {
        throw new UserError(
            "the patterns cannot be read", patterns.get().toString(), "name a file of patterns");
      } catch (PatternSyntaxException e) {
        throw new UserError(
            "a pattern is not a regular expression",
            e.getPattern() + ": " + e.getDescription(),
            "write one as for grep -E, a line each");
      }
    }
    script.ifPresent(
        file -> {
          if (!Files.isExecutable(file)) {
            throw new UserError(
                "the judge cannot be executed", file.toString(), "name a script, and chmod +x it");
          }
        });
    return new OutputJudge(List.copyOf(ignored), script);
  }

  /**
   * The outcome of an execution that ended in this way and printed this.
   *
   * @param place where a script finds what it is to judge
   */
  ExecutionOutcome judge(
      ExecutionOutcome.Kind kind, int status, RunOutput output, String trouble, Path place) {
    if (script.isPresent() && kind != ExecutionOutcome.Kind.STALLED) {
      return bySaying(kind, status, output, place);
    }
    List<String> lines = new ArrayList<>();
    for (RunOutput.Part part : output.parts()) {
      Stream<String> printed = ofProgram(part.text()).map(this::without);
      lines.addAll((part.ofOneRank() ? printed : printed.sorted()).toList());
    }
    trouble.lines().map(this::without).forEach(lines::add);
    String text = lines.stream().filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    return new ExecutionOutcome(
        kind, status, text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) : text);
  }

  /** MPICH's launcher reports a crash among what the program prints, and names the process. */
  private static Stream<String> ofProgram(String text) {
    return text.contains(MPICH_CRASH)
        ? text.lines().filter(line -> !MPICH_BANNER.matcher(line).matches())
        : text.lines();
  }

  private String without(String line) {
    String rest = line;
    for (Pattern pattern : ignored) {
      rest = pattern.matcher(rest).replaceAll("");
    }
    return rest.strip();
  }

  private ExecutionOutcome bySaying(
      ExecutionOutcome.Kind kind, int status, RunOutput output, Path place) {
    Path judge = script.orElseThrow();
    try {
      Path all = place.resolve("judged");
      StringBuilder text = new StringBuilder();
      output.parts().forEach(part -> text.append(part.text()));
      Files.writeString(all, text);
      Process process =
          new ProcessBuilder(judge.toString(), String.valueOf(status))
              .redirectInput(all.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String said;
      try (InputStream stream = process.getInputStream()) {
        said = new String(stream.readAllBytes(), StandardCharsets.UTF_8).strip();
      }
      boolean good = process.waitFor() == 0;
      boolean passed = kind == ExecutionOutcome.Kind.PASSED;
      ExecutionOutcome.Kind judged =
          good ? ExecutionOutcome.Kind.PASSED : passed ? ExecutionOutcome.Kind.FAILED : kind;
      return new ExecutionOutcome(judged, good ? 0 : status, said);
    } catch (IOException e) {
      throw new UserError(
          "the judge cannot be executed", String.valueOf(e.getMessage()), "check " + judge);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("the judge was interrupted", judge.toString(), "explore again");
    }
  }
}
