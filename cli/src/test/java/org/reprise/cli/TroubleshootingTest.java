package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/TROUBLESHOOTING.md is found by pasting a message into a search: every message of the sources
 * stands there, between backquotes, with something in place of its variable parts.
 */
class TroubleshootingTest {
  private static final Path ROOT = Path.of(System.getProperty("reprise.root"));

  /** How an error is made, and which argument is its message. */
  private static final Map<String, Integer> ERRORS =
      Map.of(
          "new UserError(", 0,
          "new TraceError(", 0,
          "new ParameterException(", 1,
          "requireSuccess(", 0);

  /** How warnings, notes and verdicts are gathered, sentence by sentence. */
  private static final Map<String, Integer> SENTENCES =
      Map.of(
          "lines.add(", 0,
          "warnings.add(", 0,
          "notes.add(", 0,
          "reasons.add(", 0,
          "parts.add(", 0,
          "addFlag(", 3,
          "new RecordingGap(", 2);

  /** What package mpi says of a program's calls. */
  private static final Map<String, Integer> MISUSES =
      Map.of("Misuse.unless(", 2, "Misuse.error(", 1, " warn(", 0);

  private static final Map<String, Integer> COMPLAINTS = Map.of("complain(", 0);

  private static final Pattern PLACE_HOLDER = Pattern.compile("%[-0-9]*l*z*[a-z]");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  @Test
  void everyErrorStandsThere() throws Exception {
    Set<List<String>> messages =
        messages(
            ERRORS,
            ".java",
            "trace",
            "causality",
            "findings",
            "viewer",
            "ranks",
            "launch",
            "analysis",
            "debugger",
            "cli");
    assertThat(messages).as("errors found in the sources").hasSizeGreaterThan(45);
    assertThat(missing(messages)).as("errors that TROUBLESHOOTING.md does not have").isEmpty();
  }

  @Test
  void everyWarningAndVerdictStandsThere() throws Exception {
    Set<List<String>> messages = messages(SENTENCES, ".java", "launch");
    assertThat(messages).as("sentences found in the sources").hasSizeGreaterThan(30);
    assertThat(missing(messages)).as("sentences that TROUBLESHOOTING.md does not have").isEmpty();
  }

  @Test
  void everyErrorOfUseStandsThere() throws Exception {
    Set<List<String>> messages = messages(MISUSES, ".java", "ranks");
    assertThat(messages).as("errors of use found in the sources").hasSizeGreaterThan(40);
    assertThat(missing(messages)).as("errors that TROUBLESHOOTING.md does not have").isEmpty();
  }

  @Test
  void everyComplaintOfTheInterposerStandsThere() throws Exception {
    Set<List<String>> messages = messages(COMPLAINTS, ".c", "interposer");
    assertThat(messages).as("complaints found in the sources").hasSizeGreaterThan(8);
    assertThat(missing(messages)).as("complaints that TROUBLESHOOTING.md does not have").isEmpty();
  }

  private static List<List<String>> missing(Set<List<String>> messages) throws IOException {
    String document = Files.readString(ROOT.resolve("docs/TROUBLESHOOTING.md"));
    List<String> quoted = CODE.matcher(document).results().map(code -> code.group(1)).toList();
    return messages.stream()
        .filter(message -> quoted.stream().noneMatch(text -> holds(text, message)))
        .toList();
  }

  /** Whether the constant parts of a message stand in the text, one behind the other. */
  private static boolean holds(String text, List<String> message) {
    int from = 0;
    for (String part : message) {
      int at = text.indexOf(part, from);
      if (at < 0) {
        return false;
      }
      from = at + part.length();
    }
    return true;
  }

  /** Each message as its constant parts. */
  private static Set<List<String>> messages(
      Map<String, Integer> said, String suffix, String... modules) throws IOException {
    Set<List<String>> messages =
        new TreeSet<>((a, b) -> String.join("%", a).compareTo(String.join("%", b)));
    for (String module : modules) {
      Path sources =
          ROOT.resolve(module).resolve(module.equals("interposer") ? "src" : "src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(path -> path.toString().endsWith(suffix)).toList()) {
          String text = Files.readString(file);
          said.forEach(
              (words, place) -> {
                for (int at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
                  List<String> parts = constantParts(text, at + words.length(), place);
                  if (!parts.isEmpty()) {
                    messages.add(parts);
                  }
                }
              });
        }
      }
    }
    return messages;
  }

  /**
   * The text constants of one argument, cut where something is put in. Those inside of further
   * parentheses are what is put in.
   */
  private static List<String> constantParts(String source, int start, int place) {
    List<String> parts = new ArrayList<>();
    Pattern token = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|'(?:[^'\\\\]|\\\\.)'|[(){},]|->");
    Matcher next = token.matcher(source);
    int depth = 0;
    int argument = 0;
    for (int at = start; argument <= place && next.find(at); at = next.end()) {
      switch (next.group().charAt(0)) {
        case '(', '{' -> depth++;
        case ')', '}' -> {
          if (depth-- == 0) {
            return parts;
          }
        }
        case ',' -> argument += depth == 0 ? 1 : 0;
        case '"' -> {
          if (depth == 0 && argument == place) {
            for (String part : PLACE_HOLDER.split(next.group(1).replace("\\\"", "\""))) {
              if (!part.isBlank()) {
                parts.add(part.strip());
              }
            }
          }
        }
        default -> {}
      }
    }
    return parts;
  }
}
