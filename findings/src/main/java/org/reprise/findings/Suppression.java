package org.reprise.findings;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.anomaly.report.Mask;
import org.reprise.trace.Location;
import org.reprise.trace.UserError;

/**
 * A line that hides intended findings, {@code rule:pattern}; {@code *} stands for anything in both.
 * The pattern is compared with the id of a finding and, of each frame of the place that it is
 * about, with the function, with its offset and without, the file, and {@code file:line}.
 *
 * <p>The agent reads the same lines for anomalies, and compares the pattern with the id, the
 * variable, and of both accesses the class, the method with its class, the file, and {@code
 * file:line}.
 *
 * @param place where the line stands, as {@code races.txt:3}
 */
public record Suppression(String text, String place, Pattern rule, Pattern pattern) {
  /** Takes a line, without its comment, for what it says. */
  public static Suppression of(Path file, int number, String line) {
    int colon = line.indexOf(':');
    if (colon < 1 || colon == line.length() - 1) {
      throw new UserError(
          file + " has a line that is not a suppression",
          "line " + number + ": " + line,
          "write rule:pattern, as in message-race:gather or message-race:order_sum.c:*");
    }
    if (!isFor(EnumSet.allOf(Rule.class), line)) {
      throw new UserError(
          file + " names a rule that does not exist",
          "line " + number + ": " + line,
          "the rules are "
              + Arrays.stream(Rule.values()).map(Rule::id).collect(Collectors.joining(", ")));
    }
    return new Suppression(
        line,
        file.getFileName() + ":" + number,
        Mask.pattern(line.substring(0, colon)),
        Mask.pattern(line.substring(colon + 1)));
  }

  /**
   * Whether a line may hide findings of one of these rules. One that names no rule, as masks of
   * anomalies need not, may hide all.
   */
  public static boolean isFor(Collection<Rule> rules, String line) {
    int colon = line.indexOf(':');
    Pattern rule = Mask.pattern(colon < 0 ? "*" : line.substring(0, colon));
    return rules.stream().anyMatch(known -> rule.matcher(known.id()).matches());
  }

  /** Whether it hides this one. */
  public boolean covers(Finding finding) {
    return rule.matcher(finding.rule().id()).matches()
        && Stream.concat(
                Stream.of(finding.id()),
                finding.passages().getFirst().stack().stream().flatMap(Suppression::names))
            .anyMatch(name -> pattern.matcher(name).matches());
  }

  private static Stream<String> names(Location location) {
    return Stream.of(
            location.function(),
            location.functionName(),
            location.file(),
            location.fileName(),
            location.fileAndLine())
        .flatMap(name -> name.stream());
  }
}
