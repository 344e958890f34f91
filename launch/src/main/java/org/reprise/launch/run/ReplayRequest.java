package org.reprise.launch.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.reprise.trace.run.RunDirectory;

/**
 * What is to be replayed, and how.
 *
 * @param command in place of the recorded one, for instance under a debugger
 * @param stallLimit how long all ranks may wait in vain before the replay counts as stuck
 * @param rankOutput directory that gets each rank's output as {@code rank-<r>.out}
 * @param eventFrames full events, each with so many frames of the stack; empty: no events
 * @param quiet whether what the program prints is not wanted
 */
public record ReplayRequest(
    RunDirectory run,
    Optional<List<String>> command,
    Optional<Path> mpicc,
    OptionalLong jitterSeed,
    Duration stallLimit,
    Optional<Path> rankOutput,
    OptionalInt eventFrames,
    boolean quiet) {
  public static final Duration STALL_LIMIT = Duration.ofSeconds(30);

  /** Without events. */
  public ReplayRequest(
      RunDirectory run,
      Optional<List<String>> command,
      Optional<Path> mpicc,
      OptionalLong jitterSeed,
      Duration stallLimit,
      Optional<Path> rankOutput) {
    this(run, command, mpicc, jitterSeed, stallLimit, rankOutput, OptionalInt.empty(), false);
  }

  /** The run as it was recorded, nothing special asked for. */
  public static ReplayRequest of(RunDirectory run) {
    return new ReplayRequest(
        run,
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        STALL_LIMIT,
        Optional.empty());
  }
}
