package org.reprise.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.reprise.launch.run.RankConsole;
import org.reprise.trace.UserError;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;

/**
 * Where a command writes: standard output and standard error, and for each whether it may be
 * coloured. The two are asked about separately, since {@code reprise show > run.txt} leaves its
 * errors on the terminal.
 *
 * @param outColumns how wide standard output is; empty where it is no terminal, and nothing is cut
 * @param programOut standard output for the bytes of a program that runs in this process
 * @param programErr standard error for the same
 * @param outIsTerminal whether lines that ranks print there are marked
 * @param errIsTerminal the same of standard error
 * @param lost why standard output could not be written, if so
 * @param typed a line that the user types; empty if nobody can be asked
 */
public record Terminal(
    PrintWriter out,
    PrintWriter err,
    boolean colouredOut,
    boolean colouredErr,
    Supplier<OptionalInt> outColumns,
    OutputStream programOut,
    OutputStream programErr,
    boolean outIsTerminal,
    boolean errIsTerminal,
    Supplier<Optional<IOException>> lost,
    Supplier<Optional<String>> typed) {

  public Terminal {
    out = PlainWriter.over(out);
    err = PlainWriter.over(err);
  }

  public Terminal(PrintWriter out, PrintWriter err, boolean colouredOut, boolean colouredErr) {
    this(
        out,
        err,
        colouredOut,
        colouredErr,
        OptionalInt::empty,
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream(),
        false,
        false,
        Optional::empty,
        Optional::empty);
  }

  /**
   * The real one. Java cannot tell which of its two streams is a terminal, only whether all are; so
   * the launcher looks and says it in the property {@code reprise.terminal}, as words "out" and
   * "err" with a comma between them.
   */
  public static Terminal ofProcess(Map<String, String> environment, String terminals) {
    boolean wanted =
        environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !"dumb".equals(environment.get("TERM"));
    StandardOutput out = StandardOutput.ofProcess();
    return new Terminal(
        writer(out, System.out.charset()),
        writer(System.err, System.err.charset()),
        wanted && terminals.contains("out"),
        wanted && terminals.contains("err"),
        terminals.contains("out") ? () -> Columns.of(environment) : OptionalInt::empty,
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        terminals.contains("out"),
        terminals.contains("err"),
        out::trouble,
        () -> terminals.contains("err") ? TypedLine.read() : Optional.empty());
  }

  /** Asks a question; empty if there is nobody to answer. */
  public Optional<String> ask(String question) {
    if (!errIsTerminal) {
      return Optional.empty();
    }
    err.print(question);
    err.flush();
    return typed.get().map(answer -> answer.strip().toLowerCase(Locale.ROOT));
  }

  /** Asks a question that is answered with yes or no; no if there is nobody to answer. */
  public boolean agrees(String question) {
    return ask(question).filter(answer -> answer.equals("y") || answer.equals("yes")).isPresent();
  }

  /** Standard output for text that holds nothing from outside, such as help. */
  public PrintWriter ownOut() {
    return PlainWriter.over(out).unfiltered();
  }

  /** The same of standard error. */
  public PrintWriter ownErr() {
    return PlainWriter.over(err).unfiltered();
  }

  /** Where ranks in this process print; on a terminal their lines are marked, if the user likes. */
  public RankConsole rankConsole(boolean noPrefix) {
    return new RankConsole(
        programOut,
        programErr,
        System.out.charset(),
        outIsTerminal && !noPrefix,
        errIsTerminal && !noPrefix);
  }

  public Help.ColorScheme outColours() {
    return Help.defaultColorScheme(colouredOut ? Ansi.ON : Ansi.OFF);
  }

  public Help.ColorScheme errColours() {
    return Help.defaultColorScheme(colouredErr ? Ansi.ON : Ansi.OFF);
  }

  /**
   * The text in this style if standard output may be coloured, and as it is otherwise. Ended by a
   * reset: picocli's end of bold begins a double underline on many terminals.
   */
  public String out(Style style, String text) {
    return colouredOut ? styled(style, text) : text;
  }

  private static String styled(Style style, String text) {
    return PlainWriter.own(style.on()) + text + PlainWriter.own(Style.reset.on());
  }

  /** The beginning of an error, as picocli shows its own. */
  public String error(String text) {
    return colouredErr ? styled(Style.fg_red, styled(Style.bold, text)) : text;
  }

  /** Says so if standard output could not be written; nobody else would notice. */
  public void requireWritten() {
    out.flush();
    lost.get()
        .ifPresent(
            trouble -> {
              throw new UserError(
                  "standard output cannot be written, and something is lost",
                  String.valueOf(trouble.getMessage()),
                  "make room where it goes, or let it go elsewhere");
            });
  }

  /** Shows a page: on a terminal in place of what it shows, else line by line behind it. */
  public void draw(List<String> lines) {
    if (outIsTerminal) {
      out.print(PlainWriter.own("\u001b[H\u001b[2J"));
    }
    lines.forEach(out::println);
    requireWritten();
  }

  /** A line from Reprise itself on standard error, where the program writes too. */
  public void tell(String sentence) {
    String mark = colouredErr ? styled(Style.bold, "reprise:") : "reprise:";
    err.println(mark + " " + sentence.replace("\n", "\n  "));
    err.flush();
  }

  private static PrintWriter writer(OutputStream stream, Charset charset) {
    return new PrintWriter(stream, true, charset);
  }
}
