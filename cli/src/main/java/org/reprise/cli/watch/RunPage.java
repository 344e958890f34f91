package org.reprise.cli.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import org.reprise.analysis.live.LiveFinding;
import org.reprise.analysis.live.LiveRun;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunDisk;
import org.reprise.trace.text.Words;

/** A run that goes on, on one page: its ranks, its disk, its races so far. */
final class RunPage {
  private static final double NANOS = 1e9;
  private static final int FINDINGS_MAX = 10;

  private final RunDirectory run;
  private final RanksNow ranks;
  private long eventsBefore;
  private long lookedNanos;

  RunPage(RunDirectory run) {
    this.run = run;
    ranks = new RanksNow(run.description().callNames());
  }

  /** The page at this moment. */
  List<String> lines(LiveRun live, long nowNanos) {
    SortedMap<Rank, RankHeader> headers = StallWatch.headers(run);
    List<String> lines = new ArrayList<>();
    lines.add(
        run.name()
            + ": "
            + Words.count(headers.size(), "rank")
            + ", "
            + Words.bytes(RunDisk.bytes(run))
            + " on disk");
    lines.addAll(ranks.lines(headers, nowNanos));
    if (live.events() > 0) {
      lines.add(events(live, nowNanos));
      List<LiveFinding> findings = live.findings();
      findings.stream().limit(FINDINGS_MAX).forEach(each -> lines.add("race: " + each.text()));
      if (findings.size() > FINDINGS_MAX) {
        lines.add("and " + Words.count(findings.size() - FINDINGS_MAX, "more pair", "more pairs"));
      }
    }
    live.reservation().ifPresent(reason -> lines.add("races: " + reason));
    return lines;
  }

  private String events(LiveRun live, long nowNanos) {
    double seconds = lookedNanos == 0 ? 0 : (nowNanos - lookedNanos) / NANOS;
    double rate = seconds <= 0 ? 0 : (live.events() - eventsBefore) / seconds;
    lookedNanos = nowNanos;
    eventsBefore = live.events();
    return String.format(
        Locale.ROOT,
        "%.0f events/s, %d not ordered yet; %s",
        rate,
        live.waiting(),
        LiveText.inOneLine(live));
  }
}
