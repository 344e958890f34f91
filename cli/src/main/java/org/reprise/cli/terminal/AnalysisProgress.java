package org.reprise.cli.terminal;

import java.util.Locale;
import org.reprise.causality.Progress;

/** Shows on a terminal how far the analysis of a run is, and how long it may still take. */
public final class AnalysisProgress implements Progress, AutoCloseable {
  /** Before that, whatever is said of the time left is a guess. */
  private static final double SECONDS_AT_FIRST = 2;

  private final ProgressLine line;
  private final Pass last;
  private final long beganNanos = System.nanoTime();

  /** Of an analysis that ends with this pass. */
  public AnalysisProgress(Terminal terminal, Pass last) {
    line = new ProgressLine(terminal);
    this.last = last;
  }

  @Override
  public void at(Pass pass, long done, long all) {
    double share = all == 0 ? 1 : Math.min(1, (double) done / all);
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    line.show(sentence(pass, share, seconds, last));
  }

  static String sentence(Pass pass, double share, double seconds, Pass last) {
    String words = String.format(Locale.ROOT, "%s %.0f %%", pass.words(), Math.floor(100 * share));
    double whole = pass.whole(share);
    double left = seconds * (last.whole(1) - whole) / whole;
    return seconds < SECONDS_AT_FIRST || whole == 0 ? words : words + ", " + leftWords(left);
  }

  private static String leftWords(double seconds) {
    return seconds < 1
        ? "nearly done"
        : seconds < 90
            ? "about %.0f s left".formatted(seconds)
            : "about %.0f min left".formatted(seconds / 60);
  }

  @Override
  public void close() {
    line.close();
  }
}
