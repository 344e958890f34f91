package org.reprise.cli.terminal;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.security.SecureRandom;
import org.reprise.trace.text.PlainText;

/**
 * What a command prints on its way to a terminal or file: every character that could do something
 * to a terminal is shown instead of obeyed, wherever the text came from. Our own colours are marked
 * with a word that nobody who makes a run can know.
 */
final class PlainWriter extends FilterWriter {
  private static final String MARK = "\ue000" + new SecureRandom().nextLong() + "\ue001";

  private final PrintWriter unfiltered;
  private char[] held = new char[0];

  private PlainWriter(PrintWriter out) {
    super(out);
    this.unfiltered = out;
  }

  /** Prints to {@code out} what is plain text, and our own marked escape sequences. */
  static Printer over(PrintWriter out) {
    return out instanceof Printer already ? already : new Printer(new PlainWriter(out));
  }

  /** The writer that commands get. */
  static final class Printer extends PrintWriter {
    private final PlainWriter filter;

    private Printer(PlainWriter filter) {
      super(filter, true);
      this.filter = filter;
    }

    /** For text that is ours to the last character, with colours that we did not make. */
    PrintWriter unfiltered() {
      flush();
      return filter.unfiltered;
    }

    @Override
    public boolean checkError() {
      return super.checkError() || filter.unfiltered.checkError();
    }
  }

  /** An escape sequence of our own, as it may stand in what is printed. */
  static String own(String escape) {
    return MARK + escape + MARK;
  }

  @Override
  public void write(int character) throws IOException {
    write(new char[] {(char) character}, 0, 1);
  }

  @Override
  public void write(char[] text, int offset, int length) throws IOException {
    write(new String(text, offset, length), 0, length);
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    String all = new String(held) + text.substring(offset, offset + length);
    held = new char[0];
    // Half a character: the other half comes with the next text.
    if (!all.isEmpty() && Character.isHighSurrogate(all.charAt(all.length() - 1))) {
      held = new char[] {all.charAt(all.length() - 1)};
      all = all.substring(0, all.length() - 1);
    }
    int at = 0;
    for (int mark = all.indexOf(MARK); mark >= 0; mark = all.indexOf(MARK, at)) {
      int end = all.indexOf(MARK, mark + MARK.length());
      if (end < 0) {
        break;
      }
      out.write(PlainText.lines(all.substring(at, mark)));
      out.write(all.substring(mark + MARK.length(), end));
      at = end + MARK.length();
    }
    out.write(PlainText.lines(all.substring(at)));
  }

  @Override
  public void flush() throws IOException {
    if (held.length > 0) {
      Writer whole = out;
      whole.write(PlainText.lines(new String(held)));
      held = new char[0];
    }
    super.flush();
  }
}
