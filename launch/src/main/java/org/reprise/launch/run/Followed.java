package org.reprise.launch.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.reprise.trace.Rank;
import org.reprise.trace.file.Divergence;
import org.reprise.trace.file.HeaderField;
import org.reprise.trace.file.RankHeader;
import org.reprise.trace.file.Wire;
import org.reprise.trace.run.RecordedRun;

/**
 * What came of following a plan: a run of its own, and whether the plan was used up.
 *
 * @param stalled whether no rank could go on, so that the run was ended
 */
public record Followed(Recording recording, PlanUse use, boolean stalled) {

  /** Whether ranks did what they were to do. */
  public sealed interface PlanUse {
    /** Every planned outcome came about. */
    record Whole() implements PlanUse {}

    /** A rank could not do what it was to do: the program is not what the plan was made for. */
    record Left(Rank rank, Divergence where) implements PlanUse {}

    /** The run ended before these ranks had used up their plans. */
    record Unused(List<Rank> ranks) implements PlanUse {
      public Unused {
        ranks = List.copyOf(ranks);
      }
    }
  }

  /**
   * Looks at what the ranks left.
   *
   * @param base the run that the plan was for, or the plan itself
   */
  public static PlanUse use(RecordedRun base, SortedMap<Rank, RankHeader> left) {
    Optional<RankHeader> first =
        left.values().stream()
            .filter(header -> header.divergence().isPresent())
            .min(Comparator.comparingLong(header -> header.get(HeaderField.DIVERGENCE_NANOS)));
    if (first.isPresent()) {
      return new PlanUse.Left(first.get().rank(), first.get().divergence().orElseThrow());
    }
    List<Rank> unused = new ArrayList<>();
    for (Rank rank : base.ranksPresent()) {
      RankHeader header = left.get(rank);
      if (header == null || !header.has(Wire.Flag.REACHED_END)) {
        unused.add(rank);
      }
    }
    return unused.isEmpty() ? new PlanUse.Whole() : new PlanUse.Unused(unused);
  }
}
