package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.reprise.cli.terminal.Session;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class RepriseTest {
  private static final String ESCAPE = "\u001b[";

  private final Shell shell = new Shell(Path.of("/nonexistent/runs"));

  @Test
  void versionAndHelpGoToStandardOutput() {
    assertThat(shell.type("--version")).isZero();
    assertThat(shell.out()).startsWith("reprise ");
    assertThat(shell.type("--help")).isZero();
    assertThat(shell.out()).contains("Usage: reprise");
    assertThat(shell.err()).isEmpty();
  }

  @Test
  void anUnknownOptionIsAUsageError() {
    assertThat(shell.type("--nonsense")).isEqualTo(2);
    assertThat(shell.err()).startsWith("reprise: Unknown option: '--nonsense'");
    assertThat(shell.out()).isEmpty();
  }

  @Test
  void anUnknownOptionOfReplayIsNoCommand() {
    assertThat(shell.type("replay", "--jiter", "7")).isEqualTo(2);
    assertThat(shell.err()).startsWith("reprise: Unknown option: '--jiter'");
    assertThat(shell.type("replay", "run-1", "--bogus", "--", "true")).isEqualTo(2);
    assertThat(shell.err()).contains("Unknown option: '--bogus'");
  }

  @Test
  void noCommandAtAllIsAUsageErrorThatShowsHelp() {
    assertThat(shell.type()).isEqualTo(2);
    assertThat(shell.err()).startsWith("reprise: No command given").contains("Usage: reprise");
  }

  @Test
  void anUnknownCommandIsMetWithTheNearest() {
    assertThat(shell.type("recrod")).isEqualTo(2);
    assertThat(shell.err())
        .startsWith("reprise: there is no command 'recrod'\nDid you mean: reprise record");
  }

  @Test
  void aWrongUseOfACommandPointsToItsOwnHelp() {
    assertThat(shell.type("show", "--rank", "zero")).isEqualTo(2);
    assertThat(shell.err())
        .isEqualTo(
            """
            reprise: Invalid value for option '--rank': 'zero' is not a whole number
              fix: see reprise show --help
            """);
  }

  @Test
  void aUserErrorIsThreeLinesAndItsOwnExitCode() {
    int exit = typeThrowing(new UserError("no run is recorded", "/empty", "reprise record", 4));
    assertThat(exit).isEqualTo(4);
    assertThat(shell.err().lines())
        .containsExactly("reprise: no run is recorded", "  found: /empty", "  fix: reprise record");
  }

  @Test
  void aUserErrorWithoutAnExitCodeExitsWithOne() {
    assertThat(typeThrowing(new UserError("c", "f", "x"))).isEqualTo(1);
  }

  @Test
  void furtherLinesOfADetailAreIndented() {
    typeThrowing(new UserError("c", "one\ntwo", "x"));
    assertThat(shell.err()).contains("  found: one\n    two\n");
  }

  @Test
  void anyOtherExceptionIsABugWithAStackTrace() {
    assertThat(typeThrowing(new IllegalStateException("clock ran backwards"))).isEqualTo(70);
    assertThat(shell.err())
        .contains("IllegalStateException: clock ran backwards", "\tat org.reprise.cli.")
        .endsWith("reprise: this is a bug in Reprise\n");
  }

  @Test
  void aFailedAssertIsABugToo() {
    assertThat(typeThrowing(new AssertionError("cut is inconsistent"))).isEqualTo(70);
    assertThat(shell.err()).contains("this is a bug in Reprise");
  }

  @Test
  void whoeverRunsOutOfMemoryIsToldHowToGiveMore() {
    assertThat(typeThrowing(new OutOfMemoryError("Java heap space"))).isEqualTo(1);
    assertThat(shell.err())
        .startsWith("reprise: Reprise ran out of memory\n  found: a heap of ")
        .contains("  fix: give it more: REPRISE_HEAP=")
        .doesNotContain("\tat ");
  }

  @Test
  void colourFollowsTheStreamItIsWrittenTo() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal onlyErr = new Terminal(new PrintWriter(out), new PrintWriter(err), false, true);
    Session session = new Session(onlyErr, Map.of(), Path.of("/"), ZoneOffset.UTC);
    Reprise.run(onlyErr, Reprise.commandLine(session), "--help");
    Reprise.run(onlyErr, Reprise.commandLine(session), "--nonsense");
    assertThat(out.toString()).isNotEmpty().doesNotContain(ESCAPE);
    assertThat(err.toString()).contains(ESCAPE);
  }

  @Test
  void noColorAndDumbTerminalsAreObeyed() {
    assertThat(Terminal.ofProcess(Map.of("TERM", "xterm"), "out err").colouredOut()).isTrue();
    assertThat(Terminal.ofProcess(Map.of("NO_COLOR", ""), "out err").colouredErr()).isTrue();
    assertThat(Terminal.ofProcess(Map.of("NO_COLOR", "1"), "out err").colouredErr()).isFalse();
    assertThat(Terminal.ofProcess(Map.of("TERM", "dumb"), "out err").colouredOut()).isFalse();
    assertThat(Terminal.ofProcess(Map.of("TERM", "xterm"), "err").colouredOut()).isFalse();
  }

  @Test
  void widthCountsOnATerminalOnly() {
    Map<String, String> environment = Map.of("COLUMNS", "72");
    assertThat(Terminal.ofProcess(environment, "out").outColumns().get()).hasValue(72);
    assertThat(Terminal.ofProcess(environment, "err").outColumns().get()).isEmpty();
  }

  private int typeThrowing(Throwable thrown) {
    CommandLine commandLine = shell.commandLine().addSubcommand("throw", new Throwing(thrown));
    return shell.type(commandLine, "throw");
  }

  @Command
  private record Throwing(Throwable thrown) implements Runnable {
    @Override
    public void run() {
      switch (thrown) {
        case RuntimeException exception -> throw exception;
        case Error error -> throw error;
        default -> throw new IllegalArgumentException(thrown);
      }
    }
  }
}
