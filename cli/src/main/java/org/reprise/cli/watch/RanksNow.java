package org.reprise.cli.watch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.WaitNote;
import org.reprise.trace.file.Wire;

/**
 * What each rank of a run is doing, as its header says it, and since when, as far as somebody has
 * looked.
 */
final class RanksNow {
  private static final double NANOS = 1e9;

  /** A call that a rank was seen in. */
  private record Seen(long calls, int call, long since) {}

  private final List<String> callNames;
  private final Map<Rank, Seen> seen = new HashMap<>();
  private final Map<Rank, Long> callsBefore = new HashMap<>();
  private long lookedNanos;

  RanksNow(List<String> callNames) {
    this.callNames = callNames;
  }

  /** A line for each rank. */
  List<String> lines(SortedMap<Rank, RankHeader> headers, long nowNanos) {
    double seconds = lookedNanos == 0 ? 0 : (nowNanos - lookedNanos) / NANOS;
    lookedNanos = nowNanos;
    List<String> lines = new ArrayList<>();
    for (RankHeader header : headers.values()) {
      long calls = header.calls();
      Long before = callsBefore.put(header.rank(), calls);
      double rate = before == null || seconds <= 0 ? 0 : (calls - before) / seconds;
      lines.add(
          String.format(
              Locale.ROOT,
              "rank %-4d %14d calls %12.0f/s  %s",
              header.rank().number(),
              calls,
              rate,
              doing(header, calls, nowNanos)));
    }
    return lines;
  }

  private String doing(RankHeader header, long calls, long nowNanos) {
    int call = header.currentCall().orElse(-1);
    Seen before = seen.get(header.rank());
    if (before == null || before.calls != calls || before.call != call) {
      before = new Seen(calls, call, nowNanos);
      seen.put(header.rank(), before);
    }
    if (header.state() != Wire.State.RUNNING) {
      return header.state().name().toLowerCase(Locale.ROOT);
    }
    double since = (nowNanos - before.since) / NANOS;
    String in = call < 0 ? "outside MPI" : "in MPI_" + name(call) + waits(header);
    return since < 1 ? in : String.format(Locale.ROOT, "%s for %.0f s", in, since);
  }

  private String name(int call) {
    return call < callNames.size() ? callNames.get(call) : "call " + call;
  }

  private static String waits(RankHeader header) {
    for (WaitNote wait : header.waits()) {
      boolean world = wait.comm() == WaitNote.COMM_WORLD;
      String who =
          wait.peer() < 0
              ? "any rank"
              : (world ? "rank " : "its communicator's rank ") + wait.peer();
      switch (wait.what()) {
        case RECEIVE -> {
          return ", waits for a message of " + who;
        }
        case SEND -> {
          return ", waits for " + who + " to receive";
        }
        default -> {}
      }
    }
    return "";
  }
}
