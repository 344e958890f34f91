package org.reprise.cli.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import org.reprise.analysis.live.LiveRun;
import org.reprise.launch.verdict.StallWatch;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunDisk;
import org.reprise.trace.text.Words;

/** A run that goes on, on one page: its ranks, its disk, its races so far. */
final class RunPage {
  private static final double NANOS = 1e9;
  private static final int TEXT_MAX = 1 << 16;

  private final RunDirectory run;
  private final RanksNow ranks;
  private long eventsBefore;
  private long lookedNanos;
  private List<String> told = List.of();

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
      lines.add(rate(live, nowNanos));
      lines.addAll(LiveText.page(live));
    } else {
      lines.addAll(told());
    }
    return lines;
  }

  /** What the recorder says that takes the events of the run, if one does. */
  private List<String> told() {
    try {
      if (RunFile.isThere(run.liveTextFile())) {
        try (InputStream in = RunFile.stream(run.liveTextFile())) {
          told = new String(in.readNBytes(TEXT_MAX), UTF_8).lines().toList();
        }
      }
    } catch (IOException e) {
      // The recorder has just ended: what it said last holds.
    }
    return told;
  }

  /** The last of it, in one line. */
  String outcome(LiveRun live) {
    return live.events() > 0 || told.isEmpty() ? LiveText.inOneLine(live) : told.getFirst();
  }

  private String rate(LiveRun live, long nowNanos) {
    double seconds = lookedNanos == 0 ? 0 : (nowNanos - lookedNanos) / NANOS;
    double rate = seconds <= 0 ? 0 : (live.events() - eventsBefore) / seconds;
    lookedNanos = nowNanos;
    eventsBefore = live.events();
    return String.format(Locale.ROOT, "%.0f events/s", rate);
  }
}
