package org.reprise.anomaly.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.reprise.anomaly.agent.instrument.program.Scope;
import org.reprise.anomaly.report.Mask;

/**
 * What the agent was asked for: {@code -javaagent:reprise-agent.jar=include=a.b,report=out.json}.
 *
 * @param scope which classes are instrumented
 * @param report where the verdict goes as JSON, a file or a directory; without it, it is printed
 * @param isPrecise every access is checked by itself
 * @param keepsStacks findings come with the calls above
 * @param jitter the seed of random pauses, for tests of Reprise itself
 * @param analyzes the whole program is analysed before it runs
 * @param slices the program's standard output is skipped
 * @param explains what becomes of each access is printed as classes are loaded
 */
record Options(
    Scope scope,
    Optional<Path> report,
    boolean keepsStacks,
    boolean isPrecise,
    boolean analyzes,
    boolean slices,
    boolean explains,
    OptionalLong jitter,
    Mask mask) {
  static Options parse(String arguments) {
    List<String> included = new ArrayList<>();
    List<String> excluded = new ArrayList<>();
    List<String> trusted = new ArrayList<>();
    Optional<Path> report = Optional.empty();
    boolean keepsStacks = false;
    boolean isPrecise = false;
    boolean analyzes = false;
    boolean slices = false;
    boolean explains = false;
    OptionalLong jitter = OptionalLong.empty();
    Mask mask = Mask.NONE;
    for (String argument : arguments.split(",")) {
      int equals = argument.indexOf('=');
      String key = equals < 0 ? argument : argument.substring(0, equals);
      String value = equals < 0 ? "" : argument.substring(equals + 1);
      switch (key) {
        case "" -> {}
        case "include" -> included.add(value);
        case "exclude" -> excluded.add(value);
        case "trusting" -> trusted.add(value);
        case "report" -> report = Optional.of(Path.of(value));
        case "stacks" -> keepsStacks = true;
        case "precise" -> {
          isPrecise = true;
          keepsStacks = true;
        }
        case "analyze" -> analyzes = true;
        case "slice" -> slices = true;
        case "explain" -> explains = true;
        case "jitter" -> jitter = seed(value);
        case "mask" -> mask = read(Path.of(value));
        default -> Agent.warn(OptionNames.complaint(key));
      }
    }
    return new Options(
        new Scope(included, excluded, trusted),
        report,
        keepsStacks,
        isPrecise,
        analyzes,
        slices,
        explains,
        jitter,
        mask);
  }

  private static OptionalLong seed(String value) {
    try {
      return OptionalLong.of(Long.parseLong(value));
    } catch (NumberFormatException e) {
      Agent.warn("jitter=" + value + " is not a seed, and nothing is delayed: give a whole number");
      return OptionalLong.empty();
    }
  }

  private static Mask read(Path file) {
    try {
      return Mask.parse(String.valueOf(file.getFileName()), Files.readAllLines(file));
    } catch (IOException e) {
      Agent.warn("the mask file cannot be read: " + e);
      return Mask.NONE;
    }
  }
}
