package org.reprise.cli.report;

import java.io.PrintWriter;
import org.reprise.analysis.AnalysisMemory;
import org.reprise.cli.terminal.Terminal;
import org.reprise.trace.UserError;

/** What went wrong, for people: a user's mistake with its fix, or a bug with its stack trace. */
public final class FailureText {
  /** As in sysexits.h: an internal software error. */
  private static final int BUG = 70;

  /** Prints it; the exit status that goes with it. */
  public static int print(Terminal terminal, Throwable thrown) {
    PrintWriter err = terminal.err();
    Throwable shown = thrown instanceof OutOfMemoryError ? AnalysisMemory.exhausted() : thrown;
    if (shown instanceof UserError error) {
      err.println(terminal.error("reprise: " + error.cause()));
      printDetail(err, "found", error.found());
      printDetail(err, "fix", error.fix());
      return error.exitCode();
    }
    thrown.printStackTrace(err);
    err.println(terminal.error("reprise: this is a bug in Reprise"));
    return BUG;
  }

  private static void printDetail(PrintWriter err, String label, String text) {
    if (!text.isBlank()) {
      err.println("  " + label + ": " + text.strip().replace("\n", "\n    "));
    }
  }

  private FailureText() {}
}
