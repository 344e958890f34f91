package org.reprise.cli.terminal;

/**
 * One line on standard error that is written over and over, on a terminal only, and then erased.
 */
public final class ProgressLine implements AutoCloseable {
  private static final long PAUSE_NANOS = 100_000_000;
  private static final String ERASE = "\r\u001b[K";

  private final Terminal terminal;
  private long shownNanos = System.nanoTime();
  private boolean shown;

  public ProgressLine(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Shows how far it is, unless it was shown just now. */
  public void show(String sentence) {
    long now = System.nanoTime();
    if (terminal.colouredErr() && now - shownNanos > PAUSE_NANOS) {
      shownNanos = now;
      shown = true;
      terminal.err().print(PlainWriter.own(ERASE) + sentence);
      terminal.err().flush();
    }
  }

  /** Makes room for what is to be printed. */
  public void erase() {
    if (shown) {
      shown = false;
      terminal.err().print(PlainWriter.own(ERASE));
      terminal.err().flush();
    }
  }

  @Override
  public void close() {
    erase();
  }
}
