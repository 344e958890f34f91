package org.reprise.launch.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.reprise.launch.interposer.CallTable;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;

/**
 * Something that a recording does not hold though the program may depend on it. A replay cannot
 * force it, so the verdict names it; and what the recorded messages show does not cover it, so no
 * claim about other runs is made. This is the only list of such things.
 *
 * @param what a noun for a verdict's own line: {@code MPI_Fetch_and_op}
 * @param sentence for a note
 */
public record RecordingGap(Kind kind, String what, String sentence) {
  /** What sort of thing is missing. */
  public enum Kind {
    /** Ranks of the job. */
    RANKS,
    /** Processes outside the job, or another job. */
    PROCESSES,
    /** What calls did whose outcome depends on timing. */
    CALLS,
    /** The order in which threads of a rank were in MPI. */
    THREADS,
    /** What ranks did after their files could not grow. */
    REST,
    /** Clocks and random sources. */
    INPUTS
  }

  /** What a run does not hold. */
  public static List<RecordingGap> of(RecordedRun run) {
    List<RecordingGap> gaps = new ArrayList<>();
    addRanks(run, gaps);
    addCalls(run, gaps);
    addProcesses(run, gaps);
    threads(run.headers()).ifPresent(gaps::add);
    addRest(run, gaps);
    addInputs(run, gaps);
    return gaps;
  }

  private static void addRanks(RecordedRun run, List<RecordingGap> gaps) {
    List<Rank> missing =
        IntStream.range(0, run.ranks())
            .mapToObj(Rank::new)
            .filter(rank -> !run.headers().containsKey(rank))
            .toList();
    if (!missing.isEmpty()) {
      String who = Ranks.text(missing);
      gaps.add(
          new RecordingGap(
              Kind.RANKS,
              who,
              who + " left no file in the recording; what was theirs is not forced or compared"));
    }
  }

  private static void addCalls(RecordedRun run, List<RecordingGap> gaps) {
    List<String> refused = CallTable.ofInterposer().made(run, CallTable.Call::isRefused);
    if (!refused.isEmpty()) {
      String calls = String.join(", ", refused);
      gaps.add(new RecordingGap(Kind.CALLS, calls, "not recorded, so it may not repeat: " + calls));
    }
  }

  private static void addProcesses(RecordedRun run, List<RecordingGap> gaps) {
    if (run.processesWereAdded() || !ranks(run.headers(), Wire.Flag.SPAWNED).isEmpty()) {
      gaps.add(
          new RecordingGap(
              Kind.PROCESSES,
              "the processes outside the job",
              "processes outside the job took part and are not recorded; what they send is not"
                  + " followed"));
    }
    otherJobs(run.headers()).ifPresent(gaps::add);
  }

  public static Optional<RecordingGap> otherJobs(SortedMap<Rank, RankHeader> headers) {
    return ranks(headers, Wire.Flag.SECOND_JOB).isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RecordingGap(
                Kind.PROCESSES,
                "the other MPI jobs",
                "the command started more than one MPI job; only the first is recorded"));
  }

  public static Optional<RecordingGap> threads(SortedMap<Rank, RankHeader> headers) {
    List<Rank> concurrent = ranks(headers, Wire.Flag.CONCURRENT);
    return concurrent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RecordingGap(
                Kind.THREADS,
                "the order among threads that were in MPI at the same time",
                Ranks.text(concurrent)
                    + " called MPI from several threads at the same time; the order among them"
                    + " may not repeat"));
  }

  private static void addRest(RecordedRun run, List<RecordingGap> gaps) {
    List<Rank> full = ranks(run.headers(), Wire.Flag.DISK_FULL);
    if (!full.isEmpty()) {
      gaps.add(
          new RecordingGap(
              Kind.REST,
              "what " + Ranks.text(full) + " did after the disk was full",
              "the recording of " + Ranks.text(full) + " stops where the disk was full"));
    }
  }

  private static void addInputs(RecordedRun run, List<RecordingGap> gaps) {
    List<Rank> without = run.withoutInputs();
    if (!without.isEmpty()) {
      gaps.add(
          new RecordingGap(
              Kind.INPUTS,
              "clocks and random sources of " + Ranks.text(without),
              Ranks.text(without)
                  + " left no inputs in the recording; what was read from clocks and random"
                  + " sources may differ"));
    }
    if (!run.description().inputs()) {
      gaps.add(
          new RecordingGap(
              Kind.INPUTS,
              "clocks and random sources",
              "recorded with --no-inputs: what is read from clocks and random sources may"
                  + " differ"));
    }
  }

  private static List<Rank> ranks(SortedMap<Rank, RankHeader> headers, Wire.Flag flag) {
    return headers.values().stream()
        .filter(header -> header.has(flag))
        .map(RankHeader::rank)
        .toList();
  }
}
