package org.reprise.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.reprise.trace.Rank;
import org.reprise.trace.RankHeader;
import org.reprise.trace.Wire;

/** What a recording does not hold and its user would want to know, a sentence each. */
final class RecordingWarnings {
  static List<String> of(
      SortedMap<Rank, RankHeader> headers, CallTable calls, Preparation preparation) {
    List<String> warnings = new ArrayList<>();
    preparation.mixture().ifPresent(warnings::add);
    if (headers.isEmpty()) {
      warnings.add(nothingRecorded(preparation.command()));
      return warnings;
    }
    addRefusedCalls(warnings, headers, calls);
    addSeveralThreads(warnings, headers);
    addFlag(
        warnings,
        headers,
        Wire.Flag.DISK_FULL,
        "could not be recorded to the end because the disk is full; "
            + "the replay runs free from there");
    if (any(headers, Wire.Flag.SPAWNED)) {
      warnings.add("processes that MPI_Comm_spawn started are not recorded");
    }
    addSecondJob(warnings, headers);
    addMissing(warnings, headers);
    return warnings;
  }

  static void addSeveralThreads(List<String> warnings, SortedMap<Rank, RankHeader> headers) {
    addFlag(
        warnings,
        headers,
        Wire.Flag.CONCURRENT,
        "called MPI from several threads at the same time; the order among them may not repeat");
  }

  static void addSecondJob(List<String> warnings, SortedMap<Rank, RankHeader> headers) {
    if (any(headers, Wire.Flag.SECOND_JOB)) {
      warnings.add("the command started more than one MPI job; only the first is recorded");
    }
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

  private static void addMissing(List<String> warnings, SortedMap<Rank, RankHeader> headers) {
    int ranks = headers.firstEntry().getValue().ranks();
    List<Rank> missing =
        IntStream.range(0, ranks)
            .mapToObj(Rank::new)
            .filter(rank -> !headers.containsKey(rank))
            .toList();
    if (!missing.isEmpty()) {
      warnings.add(Ranks.text(missing) + " left no trace: the job ended before MPI_Init was over");
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
    reasons.add("the launcher does not pass LD_PRELOAD and REPRISE_* on to the ranks");
    return "no call of MPI was seen: no rank left a trace. Likely reasons: "
        + reasons.stream().collect(Collectors.joining("; "));
  }

  private RecordingWarnings() {}
}
