package org.reprise.trace.run;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.reprise.trace.Rank;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.inputs.InputsReader;
import org.reprise.trace.order.OrderReader;
import org.reprise.trace.order.Outcome;

/** A run in numbers, rank by rank: how much happened, and how much of it had to be written down. */
public record RunSummary(List<RankSummary> ranks) {
  private static final Wire.Kind[] KINDS = Wire.Kind.values();

  public RunSummary {
    ranks = List.copyOf(ranks);
  }

  /**
   * One rank in numbers.
   *
   * @param wildcardReceives receives whose source or tag was open, blocking or not
   * @param bytes of the rank's files, without their headers
   */
  public record RankSummary(
      Rank rank,
      Wire.State state,
      long calls,
      long receives,
      long wildcardReceives,
      Map<Wire.Kind, Long> outcomes,
      long failedPolls,
      long bytes) {}

  public static RunSummary of(RecordedRun run) {
    return new RunSummary(
        run.ranksPresent().stream().map(rank -> summarize(run.directory(), rank)).toList());
  }

  private static RankSummary summarize(RunDirectory run, Rank rank) {
    try (OrderReader order = run.openOrder(rank)) {
      long[] counts = new long[KINDS.length];
      long wildcards = 0;
      while (order.hasNext()) {
        Outcome outcome = order.next().outcome();
        counts[outcome.kind().ordinal()]++;
        if (outcome instanceof Outcome.Recv || outcome instanceof Outcome.Post) {
          wildcards++;
        }
      }
      Map<Wire.Kind, Long> outcomes = new EnumMap<>(Wire.Kind.class);
      for (Wire.Kind kind : KINDS) {
        if (counts[kind.ordinal()] > 0) {
          outcomes.put(kind, counts[kind.ordinal()]);
        }
      }
      RankHeader header = order.header();
      return new RankSummary(
          rank,
          header.state(),
          header.calls(),
          // Of a killed JVM the count may be behind; that many there were.
          Math.max(header.receives(), wildcards),
          wildcards,
          outcomes,
          header.get(HeaderField.POLLS_FAILED_TOTAL),
          header.committed() + inputBytes(run, rank));
    }
  }

  private static long inputBytes(RunDirectory run, Rank rank) {
    try (InputsReader inputs = run.openInputs(rank).orElse(null)) {
      return inputs == null ? 0 : inputs.header().committed();
    }
  }

  public long calls() {
    return ranks.stream().mapToLong(RankSummary::calls).sum();
  }

  public long receives() {
    return ranks.stream().mapToLong(RankSummary::receives).sum();
  }

  public long wildcardReceives() {
    return ranks.stream().mapToLong(RankSummary::wildcardReceives).sum();
  }

  /** Probes whose source or tag was open, blocking or not. */
  public long wildcardProbes() {
    return ranks.stream()
        .mapToLong(
            rank ->
                rank.outcomes().getOrDefault(Wire.Kind.PROBE, 0L)
                    + rank.outcomes().getOrDefault(Wire.Kind.PROBE_TAG, 0L)
                    + rank.outcomes().getOrDefault(Wire.Kind.FOUND, 0L)
                    + rank.outcomes().getOrDefault(Wire.Kind.FOUND_TAG, 0L))
        .sum();
  }

  public long failedPolls() {
    return ranks.stream().mapToLong(RankSummary::failedPolls).sum();
  }

  public long outcomes() {
    return ranks.stream()
        .flatMap(rank -> rank.outcomes().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  public long bytes() {
    return ranks.stream().mapToLong(RankSummary::bytes).sum();
  }
}
