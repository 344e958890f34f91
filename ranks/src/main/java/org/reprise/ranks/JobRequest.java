package org.reprise.ranks;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job to run on the embedded engine.
 *
 * @param ranks number of ranks
 * @param syncSends whether standard sends are complete only when they are received
 * @param trace directory that gets the rank files: of a recording, or of a replay for the judge.
 *     Empty: nothing is written
 * @param inputs whether clocks and random sources are recorded and given back
 * @param eventFrames full events beside the rank files, each with so many frames of the stack;
 *     empty: no events
 */
public record JobRequest(
    int ranks,
    Schedule schedule,
    boolean syncSends,
    Optional<Path> trace,
    boolean inputs,
    OptionalInt eventFrames) {
  public JobRequest {
    if (ranks <= 0) {
      throw new IllegalArgumentException("a job has ranks: " + ranks);
    }
  }

  /** Without events. */
  public JobRequest(
      int ranks, Schedule schedule, boolean syncSends, Optional<Path> trace, boolean inputs) {
    this(ranks, schedule, syncSends, trace, inputs, OptionalInt.empty());
  }

  /** A job that leaves nothing on disk. */
  public static JobRequest of(int ranks, Schedule schedule) {
    return new JobRequest(ranks, schedule, false, Optional.empty(), true);
  }

  public JobRequest withSyncSends() {
    return new JobRequest(ranks, schedule, true, trace, inputs, eventFrames);
  }

  public JobRequest tracedIn(Path directory) {
    return new JobRequest(ranks, schedule, syncSends, Optional.of(directory), inputs, eventFrames);
  }

  /** The same with full events, which need a directory to be traced in. */
  public JobRequest withEvents(int frames) {
    return new JobRequest(ranks, schedule, syncSends, trace, inputs, OptionalInt.of(frames));
  }
}
