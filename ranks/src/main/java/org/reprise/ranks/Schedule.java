package org.reprise.ranks;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.reprise.trace.Rank;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.RecordedRun;

/**
 * Who decides what a job leaves open: who runs, which message a wildcard takes, when polls succeed.
 */
public sealed interface Schedule {
  /**
   * Nobody: ranks run in parallel, and what happens happens.
   *
   * @param jitterSeed delays ranks at random around their calls, from this seed
   */
  record Free(OptionalLong jitterSeed) implements Schedule {
    public Free() {
      this(OptionalLong.empty());
    }
  }

  /** One rank at a time, every choice drawn from the seed: the same run on any machine. */
  record Seeded(long seed) implements Schedule {}

  /**
   * Every choice as it was recorded.
   *
   * @param jitterSeed delays ranks at random around their calls, from this seed
   */
  record Replay(RecordedRun run, OptionalLong jitterSeed) implements Schedule {
    public Replay(RecordedRun run) {
      this(run, OptionalLong.empty());
    }
  }

  /**
   * What a plan says, and what happens otherwise; recorded as a run of its own.
   *
   * @param base the run whose inputs the ranks get
   * @param plan what each rank is to do; others are free
   * @param jitterSeed delays ranks at random around their calls, from this seed
   */
  record Follow(RecordedRun base, Map<Rank, RankPlan> plan, OptionalLong jitterSeed)
      implements Schedule {
    public Follow {
      plan = Map.copyOf(plan);
    }
  }

  /** One rank at a time, choices by their places: an execution that an enumeration found. */
  record Chosen(List<Integer> choices) implements Schedule {
    public Chosen {
      choices = List.copyOf(choices);
    }
  }
}
