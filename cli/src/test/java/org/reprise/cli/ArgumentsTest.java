package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Which words are Reprise's and which are the program's, and what is refused. */
class ArgumentsTest {
  private final Shell shell = new Shell(Path.of("/nonexistent/runs"));

  @Test
  void wordsOfTheProgramAreNotOurs() {
    CommandLine commandLine = shell.commandLine();
    for (String command : List.of("record", "run")) {
      for (List<String> start : List.<List<String>>of(List.of(), List.of("--"))) {
        List<String> program = List.of("mpirun", "--help", "--", "-o", "@hosts", "--jitter=x", "");
        List<String> words = new ArrayList<>(List.of(command, "--jitter", "7"));
        words.addAll(start);
        words.addAll(program);
        CommandLine.ParseResult parsed =
            commandLine.parseArgs(words.toArray(String[]::new)).subcommand();
        assertThat(parsed.matchedPositionalValue(0, List.<String>of()))
            .as("%s", words)
            .isEqualTo(program);
      }
    }
  }

  @Test
  void whatFollowsTwoDashesReplacesTheRecordedCommand() {
    for (List<String> start : List.of(List.of("replay"), List.of("replay", "bank-1"))) {
      List<String> words = new ArrayList<>(start);
      words.addAll(List.of("--", "gdb", "--args", "--jitter", "--", "x"));
      CommandLine.ParseResult replay =
          shell.commandLine().parseArgs(words.toArray(String[]::new)).subcommand();
      Object command = replay.commandSpec().findOption("--").getValue();
      assertThat(command).isEqualTo(List.of("gdb", "--args", "--jitter", "--", "x"));
      assertThat(replay.hasMatchedOption("--jitter")).isFalse();
      assertThat(replay.hasMatchedPositional(0)).isEqualTo(start.size() == 2);
    }
  }

  @Test
  void usageErrorsOfCommandsExitWithTwo() {
    for (String line :
        List.of(
            "record",
            "run mpirun",
            "run --jitter x mpirun",
            "rm",
            "diff a",
            "diff a b c",
            "replay a b",
            "replay --",
            "replay --stall-limit 0",
            "ls --format xml",
            "ls extra",
            "doctor extra",
            "demo extra",
            "show a b")) {
      assertThat(shell.type(line.split(" "))).as(line).isEqualTo(2);
      assertThat(shell.err()).as(line).startsWith("reprise: ");
    }
  }
}
