package org.reprise.cli.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.reprise.analysis.live.LiveFinding;
import org.reprise.analysis.live.LiveRun;
import org.reprise.trace.text.Words;

/** What was found in a run while it went on, in words. */
public final class LiveText {
  private LiveText() {}

  private static final int FINDINGS_MAX = 10;
  private static final double NANOS = 1e9;

  /** What is known of the events of a run that goes on. */
  public static List<String> page(LiveRun live) {
    List<String> lines = new ArrayList<>();
    lines.add(
        inOneLine(live) + (live.waiting() > 0 ? "; " + live.waiting() + " not ordered yet" : ""));
    List<LiveFinding> findings = live.findings();
    findings.stream().limit(FINDINGS_MAX).forEach(each -> lines.add("race: " + each.text()));
    if (findings.size() > FINDINGS_MAX) {
      lines.add("and " + Words.count(findings.size() - FINDINGS_MAX, "more pair", "more pairs"));
    }
    return lines;
  }

  /** What full rings have cost; empty if nothing. */
  public static Optional<String> rings(LiveRun found) {
    List<String> parts = new ArrayList<>();
    if (found.spilledBytes() > 0) {
      parts.add(Words.bytes(found.spilledBytes()) + " of events went through files");
    }
    if (!found.waited().isZero()) {
      parts.add(
          String.format(
              Locale.ROOT, "ranks waited %.1f s together", found.waited().toNanos() / NANOS));
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of("the search did not keep up: " + String.join(", ", parts));
  }

  /** Everything that a recording says of it at its end. */
  public static String inOneLine(LiveRun found) {
    if (found.cutOff().isPresent()) {
      return "races were searched in the beginning of the run alone: "
          + found.cutOff().get()
          + "; there "
          + (found.racing() == 0
              ? "none was found"
              : Words.count(found.racing(), "receive or probe raced", "receives and probes raced"))
          + "; "
          + Words.count(found.events(), "event searched", "events searched");
    }
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
