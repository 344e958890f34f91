package org.reprise.cli;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/**
 * Where a command writes: standard output and standard error, and for each whether it may be
 * coloured. The two are asked about separately, since {@code reprise races > races.txt} leaves its
 * errors on the terminal.
 */
record Terminal(PrintWriter out, PrintWriter err, boolean colouredOut, boolean colouredErr) {

  /**
   * The real one. Java cannot tell which of its two streams is a terminal, only whether all are; so
   * the launcher looks and says it in the property {@code reprise.terminal}, as words "out" and
   * "err" with a comma between them.
   */
  static Terminal ofProcess(Map<String, String> environment, String terminals) {
    boolean wanted =
        environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !"dumb".equals(environment.get("TERM"));
    return new Terminal(
        writer(System.out, System.out.charset()),
        writer(System.err, System.err.charset()),
        wanted && terminals.contains("out"),
        wanted && terminals.contains("err"));
  }

  Help.ColorScheme outColours() {
    return Help.defaultColorScheme(colouredOut ? Ansi.ON : Ansi.OFF);
  }

  Help.ColorScheme errColours() {
    return Help.defaultColorScheme(colouredErr ? Ansi.ON : Ansi.OFF);
  }

  private static PrintWriter writer(OutputStream stream, Charset charset) {
    return new PrintWriter(stream, true, charset);
  }
}
