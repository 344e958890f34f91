package org.reprise.launch.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.reprise.trace.Rank;
import org.reprise.trace.order.RankPlan;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;

/**
 * A plan that is to be followed, and recorded meanwhile.
 *
 * @param base the run whose command is run, and whose outcomes the plan has
 * @param plan what each rank is forced to do; the rest is free
 * @param change in which way the new run is to differ from its base, for whoever reads it later
 * @param name what the new run is called, with a number behind
 * @param mpicc the compiler of the MPI in use, if the user names it
 * @param stallLimit how long all ranks may wait in vain before they are ended
 * @param eventFrames full events, each with so many frames of the stack; empty: no events
 * @param quiet whether what the program prints is not wanted
 */
public record FollowRequest(
    RecordedRun base,
    Map<Rank, RankPlan> plan,
    Optional<RunDescription.Change> change,
    String name,
    Optional<Path> mpicc,
    OptionalLong jitterSeed,
    Duration stallLimit,
    OptionalInt eventFrames,
    boolean quiet,
    RunConditions conditions) {
  public FollowRequest {
    plan = Map.copyOf(plan);
  }

  /** The plan, nothing special asked for. */
  public static FollowRequest of(RecordedRun base, Map<Rank, RankPlan> plan, String name) {
    return new FollowRequest(
        base,
        plan,
        Optional.empty(),
        name,
        Optional.empty(),
        OptionalLong.empty(),
        ReplayRequest.STALL_LIMIT,
        OptionalInt.empty(),
        false,
        RunConditions.USUAL);
  }
}
