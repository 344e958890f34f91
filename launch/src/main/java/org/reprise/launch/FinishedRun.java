package org.reprise.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.reprise.trace.Ending;
import org.reprise.trace.Rank;
import org.reprise.trace.RankHeader;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDescription;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.RunSummary;
import org.reprise.trace.TraceError;
import org.reprise.trace.Wire;

/** Completes the description of a run whose ranks have ended, from what they left. */
final class FinishedRun {
  /**
   * Writes run.json for the last time.
   *
   * @param interrupted whether a signal to Reprise brought the end about
   * @param warnings what the headers show that the recording does not hold
   */
  static Recording of(
      RunDirectory run,
      RunDescription begun,
      int status,
      boolean interrupted,
      Function<SortedMap<Rank, RankHeader>, List<String>> warnings) {
    SortedMap<Rank, RankHeader> headers = headers(run);
    headers.keySet().forEach(run::claimEvents);
    List<RunDescription.RankEnd> ends =
        headers.values().stream().map(FinishedRun::rankEnd).toList();
    int ranks = headers.isEmpty() ? 0 : headers.firstEntry().getValue().ranks();
    List<String> hosts = headers.values().stream().map(RankHeader::host).distinct().toList();
    RunDescription ended =
        begun.ended(
            ending(status, interrupted, headers.isEmpty()),
            Instant.now(),
            ranks,
            hosts,
            ends,
            inputBytes(run));
    run.describe(ended);
    Optional<RunSummary> summary =
        headers.isEmpty() ? Optional.empty() : Optional.of(RunSummary.of(RecordedRun.open(run)));
    return new Recording(run, ended, summary, status, warnings.apply(headers));
  }

  /** How much of standard input was kept; the program may not have asked for any. */
  private static OptionalLong inputBytes(RunDirectory run) {
    try {
      return OptionalLong.of(Files.size(run.stdinFile()));
    } catch (IOException notThere) {
      return OptionalLong.empty();
    }
  }

  /** Launchers have statuses of their own for a program that never ran; they name no signal. */
  private static Ending ending(int status, boolean interrupted, boolean noRanks) {
    if (interrupted) {
      return new Ending.Interrupted(status);
    }
    return noRanks ? new Ending.Exited(status) : Ending.ofExitStatus(status);
  }

  /**
   * The headers the ranks left. A rank that was killed while it created its file left one without a
   * header: there is nothing in it, so it goes.
   */
  private static SortedMap<Rank, RankHeader> headers(RunDirectory run) {
    SortedMap<Rank, RankHeader> headers = new TreeMap<>();
    for (Rank rank : run.ranks()) {
      try {
        headers.put(rank, run.header(rank));
      } catch (TraceError e) {
        try {
          Files.deleteIfExists(run.orderFile(rank));
          Files.deleteIfExists(run.inputsFile(rank));
        } catch (IOException notThere) {
          e.addSuppressed(notThere);
          throw e;
        }
      }
    }
    return headers;
  }

  private static RunDescription.RankEnd rankEnd(RankHeader header) {
    boolean told =
        header.has(Wire.Flag.EXIT_SEEN)
            || header.state() == Wire.State.ABORTED
            || header.state() == Wire.State.EXITED;
    return new RunDescription.RankEnd(
        header.rank(),
        header.state(),
        told ? OptionalInt.of(header.exitCode()) : OptionalInt.empty(),
        header.host());
  }

  private FinishedRun() {}
}
