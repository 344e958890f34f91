package org.reprise.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.trace.Wire;

/** Runs a command with delays at random around its MPI calls, and leaves nothing behind. */
public final class PlainRun {
  private final Surroundings surroundings;

  public PlainRun(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** The exit status of the command, 128 + n after signal n. */
  public int run(List<String> command, Optional<Path> mpicc, long jitterSeed) {
    Preparation preparation = Preparation.of(command, surroundings, mpicc);
    PreparedCommand shaken =
        preparation.tell(
            Map.of(
                Wire.ENV_MODE, Wire.Mode.SHAKE.word(),
                Wire.ENV_JITTER, Long.toString(jitterSeed)),
            List.of());
    try (Job job = Job.start(shaken, surroundings, Optional.empty(), Optional.empty())) {
      return job.waitFor();
    }
  }
}
