package org.reprise.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.reprise.trace.Rank;
import org.reprise.trace.TraceError;
import org.reprise.trace.UserError;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.LiveRecorder;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;
import org.reprise.trace.run.RunDisk;
import org.reprise.trace.run.RunSummary;
import org.reprise.trace.text.Words;

/**
 * What {@code reprise show} says of a run, before it is text or JSON.
 *
 * @param trouble why the ranks could not be read; then there are none
 * @param recording whether the recorder still lives
 */
public record RunReport(
    RunDirectory run,
    RunDescription description,
    List<RankReport> ranks,
    Optional<UserError> trouble,
    boolean recording,
    long bytesOnDisk) {

  /**
   * One rank.
   *
   * @param calls how often each MPI call was entered, by its name; only those that were
   * @param outcomes how many of each kind were written down
   */
  record RankReport(
      Rank rank,
      RankHeader header,
      RunSummary.RankSummary summary,
      Map<String, Long> calls,
      Map<Wire.Kind, Long> outcomes) {
    /** Its exit status, or the code it gave MPI_Abort; empty if it was killed. */
    OptionalInt exit() {
      return header.has(Wire.Flag.EXIT_SEEN) || header.state() == Wire.State.ABORTED
          ? OptionalInt.of(header.exitCode())
          : OptionalInt.empty();
    }

    /** How far it got. The run is over, so whoever is still running was killed, or crashed. */
    String state() {
      return header.state() == Wire.State.RUNNING ? "cut off" : Words.word(header.state());
    }

    long outcomesInAll() {
      return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  public static RunReport of(RunDirectory run) {
    RunDescription description = run.description();
    boolean recording = LiveRecorder.of(run).isPresent();
    try {
      RecordedRun recorded = RecordedRun.open(run);
      return new RunReport(
          run, description, ranks(recorded), Optional.empty(), recording, RunDisk.bytes(run));
    } catch (UserError error) {
      // What was run is worth seeing even where its ranks left nothing that can be read.
      return new RunReport(
          run, description, List.of(), Optional.of(error), recording, RunDisk.bytes(run));
    }
  }

  /** The size of the job: if the recorder did not live to write it down, as the ranks knew it. */
  int jobSize() {
    return description.ranks() > 0 || ranks.isEmpty()
        ? description.ranks()
        : ranks.getFirst().header().ranks();
  }

  /** Where the ranks ran, known in the same way. */
  List<String> hosts() {
    return description.hosts().isEmpty()
        ? ranks.stream().map(rank -> rank.header().host()).distinct().toList()
        : description.hosts();
  }

  /** Ranks of the job that left no file. */
  List<Integer> withoutTrace() {
    Set<Integer> there =
        ranks.stream().map(one -> one.rank().number()).collect(Collectors.toUnmodifiableSet());
    return IntStream.range(0, ranks.isEmpty() ? 0 : jobSize())
        .filter(rank -> !there.contains(rank))
        .boxed()
        .toList();
  }

  /** A run that is under way, or whose command never came to MPI, is nobody's error to show. */
  public int exitStatus() {
    return trouble.orElse(null) instanceof TraceError damage ? damage.exitCode() : 0;
  }

  private static List<RankReport> ranks(RecordedRun recorded) {
    List<RankReport> ranks = new ArrayList<>();
    for (RunSummary.RankSummary summary : RunSummary.of(recorded).ranks()) {
      RankHeader header = recorded.header(summary.rank());
      Map<String, Long> calls = new TreeMap<>();
      for (int call = 0; call < Wire.CALLS_MAX; call++) {
        if (header.callCount(call) > 0) {
          calls.put(recorded.description().callName(call), header.callCount(call));
        }
      }
      ranks.add(new RankReport(summary.rank(), header, summary, calls, summary.outcomes()));
    }
    return ranks;
  }
}
