package org.reprise.cli.watch;

import org.reprise.analysis.live.LiveRun;
import org.reprise.trace.text.Words;

/** What was found in a run while it went on, in words. */
public final class LiveText {
  private LiveText() {}

  /** Everything that a recording says of it at its end. */
  public static String inOneLine(LiveRun found) {
    if (found.events() == 0) {
      return "no events were there to be searched for races"
          + found.reservation().map(reason -> ": " + reason).orElse("");
    }
    String counted =
        found.racing() == 0
            ? "no race was found"
            : Words.count(found.racing(), "receive or probe raced", "receives and probes raced")
                + ", at "
                + Words.count(found.findings().size(), "pair of lines", "pairs of lines");
    String uncertain =
        found.uncertain() == 0
            ? ""
            : "; of " + Words.count(found.uncertain(), "other") + " it is uncertain";
    String reserved =
        found.reservation().map(reason -> "; not certain, because " + reason).orElse("");
    return counted
        + uncertain
        + "; "
        + Words.count(found.events(), "event searched", "events searched")
        + reserved;
  }
}
