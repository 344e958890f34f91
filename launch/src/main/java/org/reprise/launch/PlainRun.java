package org.reprise.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs a command with delays at random around its MPI calls, and leaves nothing behind. */
@SuppressWarnings("DoNotCallSuggester")
public final class PlainRun {
  public PlainRun(Surroundings surroundings) {}

  /** The exit status of the command, 128 + n after signal n. */
  public int run(List<String> command, Optional<Path> mpicc, long jitterSeed) {
    throw new UnsupportedOperationException("not there yet");
  }
}
