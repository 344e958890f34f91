package org.reprise.launch.mpi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.reprise.launch.interposer.CallTable;
import org.reprise.launch.interposer.Preparation;
import org.reprise.launch.process.LaunchCommand;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.verdict.RankPlaces;
import org.reprise.launch.verdict.Ranks;
import org.reprise.launch.verdict.RecordingGap;
import org.reprise.trace.Counted;
import org.reprise.trace.Rank;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RunDirectory;

/** What a recording does not hold and its user would want to know, a sentence each. */
final class RecordingWarnings {
  private static final int RANKS_SHOWN = 8;
  private static final String NO_ROOM =
      "there was no room for a file in the run directory; " + RunDirectory.ROOM_FIX;

  static List<String> of(
      RunDirectory run,
      SortedMap<Rank, RankHeader> headers,
      CallTable calls,
      Preparation preparation) {
    List<String> warnings = new ArrayList<>();
    preparation.mixture().ifPresent(warnings::add);
    if (headers.isEmpty()) {
      warnings.add(
          run.hasUnwrittenRank()
              ? "no rank left a trace: " + NO_ROOM
              : nothingRecorded(preparation.command()));
      return warnings;
    }
    addRefusedCalls(warnings, headers, calls);
    RecordingGap.threads(headers).ifPresent(gap -> warnings.add(gap.sentence()));
    addFlag(
        warnings,
        headers,
        Wire.Flag.DISK_FULL,
        "could not be recorded to the end because the disk is full; "
            + "the replay runs free from there");
    addFlag(
        warnings,
        headers,
        Wire.Flag.SEND_CANCELLED,
        "cancelled a send; a replay does not send it to another rank, where a probe that had seen it"
            + " would wait in vain");
    if (any(headers, Wire.Flag.SPAWNED)) {
      warnings.add("processes that MPI_Comm_spawn started are not recorded");
    }
    RecordingGap.otherJobs(headers).ifPresent(gap -> warnings.add(gap.sentence()));
    addMissing(warnings, headers, run);
    return warnings;
  }

  private static void addRefusedCalls(
      List<String> warnings, SortedMap<Rank, RankHeader> headers, CallTable calls) {
    refusedCalls(headers, calls)
        .forEach(
            (name, count) ->
                warnings.add(
                    "%s was called %s and is not recorded: what it did may not repeat"
                        .formatted(name, times(count))));
  }

  /** Where the ranks of a command were that was interrupted, perhaps since it hung. */
  static List<String> whereRanksWere(
      Collection<RankHeader> headers, CallTable calls, Surroundings surroundings) {
    List<RankHeader> cutOff =
        headers.stream().filter(header -> header.state() == Wire.State.RUNNING).toList();
    List<RankHeader> shown = cutOff.subList(0, Math.min(RANKS_SHOWN, cutOff.size()));
    RankPlaces places =
        RankPlaces.of(shown, id -> "MPI_" + calls.calls().get(id).name(), surroundings);
    List<String> warnings = new ArrayList<>();
    for (RankHeader header : shown) {
      warnings.add(header.rank() + " was cut off " + places.text(header));
    }
    if (cutOff.size() > shown.size()) {
      warnings.add("so it was with " + Counted.of(cutOff.size() - shown.size(), "more rank"));
    }
    return warnings;
  }

  /** The calls that were made and are not recorded, with how often. */
  private static Map<String, Long> refusedCalls(
      SortedMap<Rank, RankHeader> headers, CallTable calls) {
    Map<String, Long> refused = new LinkedHashMap<>();
    for (int id = 0; id < calls.calls().size(); id++) {
      int call = id;
      long count = headers.values().stream().mapToLong(header -> header.callCount(call)).sum();
      if (calls.calls().get(id).isRefused() && count > 0) {
        refused.put("MPI_" + calls.calls().get(id).name(), count);
      }
    }
    return refused;
  }

  private static String times(long count) {
    return count == 1 ? "once" : count + " times";
  }

  private static void addFlag(
      List<String> warnings, SortedMap<Rank, RankHeader> headers, Wire.Flag flag, String sentence) {
    List<Rank> flagged =
        headers.values().stream().filter(header -> header.has(flag)).map(RankHeader::rank).toList();
    if (!flagged.isEmpty()) {
      warnings.add(Ranks.text(flagged) + " " + sentence);
    }
  }

  private static boolean any(SortedMap<Rank, RankHeader> headers, Wire.Flag flag) {
    return headers.values().stream().anyMatch(header -> header.has(flag));
  }

  private static void addMissing(
      List<String> warnings, SortedMap<Rank, RankHeader> headers, RunDirectory run) {
    int ranks = headers.firstEntry().getValue().ranks();
    List<Rank> missing =
        IntStream.range(0, ranks)
            .mapToObj(Rank::new)
            .filter(rank -> !headers.containsKey(rank))
            .toList();
    addLeftNothing(warnings, missing, run::isUnwritten, NO_ROOM);
    addLeftNothing(
        warnings,
        missing,
        rank -> !run.isUnwritten(rank),
        "the job ended before MPI_Init was over");
  }

  private static void addLeftNothing(
      List<String> warnings, List<Rank> missing, Predicate<Rank> which, String why) {
    List<Rank> these = missing.stream().filter(which).toList();
    if (!these.isEmpty()) {
      warnings.add(Ranks.text(these) + " left no trace: " + why);
    }
  }

  private static String nothingRecorded(LaunchCommand command) {
    List<String> reasons = new ArrayList<>();
    if (command.runsAsSomebodyElse()) {
      reasons.add(
          command.program().map(Object::toString).orElse("the program")
              + " is setuid, and the loader keeps other libraries out of it");
    }
    if (command.program().isEmpty()) {
      reasons.add("the program was not found");
    }
    reasons.add("the command started no MPI program");
    reasons.add("the program ended before MPI_Init was over");
    reasons.add("the program uses MPI_Session_init instead of MPI_Init");
    reasons.add("the program is statically linked");
    reasons.add("there was no room for any file in the run directory");
    reasons.add("the launcher does not pass LD_PRELOAD and REPRISE_* on to the ranks");
    return "no call of MPI was seen: no rank left a trace. Likely reasons: "
        + reasons.stream().collect(Collectors.joining("; "));
  }

  private RecordingWarnings() {}
}
