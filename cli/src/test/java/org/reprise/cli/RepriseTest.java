package org.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.reprise.trace.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class RepriseTest {
  private static final String ESCAPE = "\u001b[";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void versionAndHelpGoToStandardOutput() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("reprise ");
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("Usage: reprise");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void anUnknownOptionIsAUsageError() {
    assertThat(run("--nonsense")).isEqualTo(2);
    assertThat(err.toString()).startsWith("reprise: Unknown option: '--nonsense'");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void noCommandAtAllIsAUsageErrorThatShowsHelp() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).startsWith("reprise: No command given").contains("Usage: reprise");
  }

  @Test
  void aUserErrorIsThreeLinesAndItsOwnExitCode() {
    int exit = runThrowing(new UserError("no run is recorded", "/empty", "reprise record", 4));
    assertThat(exit).isEqualTo(4);
    assertThat(err.toString().lines())
        .containsExactly("reprise: no run is recorded", "  found: /empty", "  fix: reprise record");
  }

  @Test
  void aUserErrorWithoutAnExitCodeExitsWithOne() {
    assertThat(runThrowing(new UserError("c", "f", "x"))).isEqualTo(1);
  }

  @Test
  void furtherLinesOfADetailAreIndented() {
    runThrowing(new UserError("c", "one\ntwo", "x"));
    assertThat(err.toString()).contains("  found: one\n    two\n");
  }

  @Test
  void anyOtherExceptionIsABugWithAStackTrace() {
    assertThat(runThrowing(new IllegalStateException("clock ran backwards"))).isEqualTo(70);
    assertThat(err.toString())
        .contains("IllegalStateException: clock ran backwards", "\tat org.reprise.cli.")
        .endsWith("reprise: this is a bug in Reprise\n");
  }

  @Test
  void aFailedAssertIsABugToo() {
    assertThat(runThrowing(new AssertionError("cut is inconsistent"))).isEqualTo(70);
    assertThat(err.toString()).contains("this is a bug in Reprise");
  }

  @Test
  void colourFollowsTheStreamItIsWrittenTo() {
    Terminal onlyErr = new Terminal(new PrintWriter(out), new PrintWriter(err), false, true);
    Reprise.run(onlyErr, Reprise.commandLine(), "--help");
    Reprise.run(onlyErr, Reprise.commandLine(), "--nonsense");
    assertThat(out.toString()).doesNotContain(ESCAPE);
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

  private int run(String... arguments) {
    return Reprise.run(plain(), Reprise.commandLine(), arguments);
  }

  private int runThrowing(Throwable thrown) {
    CommandLine commandLine = Reprise.commandLine().addSubcommand("throw", new Throwing(thrown));
    return Reprise.run(plain(), commandLine, "throw");
  }

  private Terminal plain() {
    return new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false, false);
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
