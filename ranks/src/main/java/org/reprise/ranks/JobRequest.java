package org.reprise.ranks;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A job to run on the embedded engine.
 *
 * @param ranks number of ranks
 * @param syncSends whether standard sends are complete only when they are received
 * @param trace directory that gets the rank files: of a recording, or of a replay for the judge.
 *     Empty: nothing is written
 * @param inputs whether clocks and random sources are recorded and given back
 */
public record JobRequest(
    int ranks, Schedule schedule, boolean syncSends, Optional<Path> trace, boolean inputs) {
  public JobRequest {
    if (ranks <= 0) {
      throw new IllegalArgumentException("a job has ranks: " + ranks);
    }
  }

  /** A job that leaves nothing on disk. */
  public static JobRequest of(int ranks, Schedule schedule) {
    return new JobRequest(ranks, schedule, false, Optional.empty(), true);
  }

  public JobRequest withSyncSends() {
    return new JobRequest(ranks, schedule, true, trace, inputs);
  }

  public JobRequest tracedIn(Path directory) {
    return new JobRequest(ranks, schedule, syncSends, Optional.of(directory), inputs);
  }
}
