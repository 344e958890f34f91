package org.reprise.findings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.reprise.trace.UserError;

/**
 * Findings that are intended, named in a file as for the sanitizers: one a line, {@code
 * rule:pattern}, where {@code *} stands for anything and {@code #} begins a comment. The pattern is
 * compared with the function, with its offset and without, the file, and {@code file:line} of each
 * frame of the place that a finding is about.
 */
public final class Suppressions {
  /** Where no line is known. */
  private static final Pattern OFFSET = Pattern.compile("\\+0x[0-9a-f]+$");

  /** One line. */
  private record Suppression(Pattern rule, Pattern pattern) {
    boolean covers(Finding finding) {
      return rule.matcher(finding.rule().id()).matches()
          && finding.passages().getFirst().stack().stream().anyMatch(this::matches);
    }

    private boolean matches(Location location) {
      Stream<String> names =
          Stream.concat(
              location.function().stream()
                  .flatMap(
                      function -> Stream.of(function, OFFSET.matcher(function).replaceFirst(""))),
              location.file().stream()
                  .flatMap(file -> Stream.of(file, location.where(), nameOf(file))));
      return names.anyMatch(name -> pattern.matcher(name).matches());
    }

    private static String nameOf(String file) {
      return file.substring(file.lastIndexOf('/') + 1);
    }
  }

  private final List<Suppression> all;

  private Suppressions(List<Suppression> all) {
    this.all = all;
  }

  public static Suppressions none() {
    return new Suppressions(List.of());
  }

  /**
   * Reads a file.
   *
   * @param rules the rules that there are
   */
  public static Suppressions read(Path file, Collection<String> rules) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new UserError(
          "the suppressions cannot be read",
          String.valueOf(e.getMessage()),
          "check the file's name");
    }
    List<Suppression> all = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        int colon = line.indexOf(':');
        if (colon < 1 || colon == line.length() - 1) {
          throw new UserError(
              file + " has a line that is no suppression",
              "line " + (i + 1) + ": " + line,
              "write rule:pattern, as in message-race:gather or message-race:order_sum.c:*");
        }
        Pattern rule = pattern(line.substring(0, colon).strip());
        if (rules.stream().noneMatch(known -> rule.matcher(known).matches())) {
          throw new UserError(
              file + " names a rule that does not exist",
              "line " + (i + 1) + ": " + line,
              "the rules are " + String.join(", ", rules));
        }
        all.add(new Suppression(rule, pattern(line.substring(colon + 1).strip())));
      }
    }
    return new Suppressions(all);
  }

  private static Pattern pattern(String text) {
    StringBuilder regex = new StringBuilder();
    for (String part : text.split("\\*", -1)) {
      regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(part));
    }
    return Pattern.compile(regex.toString());
  }

  boolean cover(Finding finding) {
    return all.stream().anyMatch(one -> one.covers(finding));
  }
}
