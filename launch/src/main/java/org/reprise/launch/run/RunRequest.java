package org.reprise.launch.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is to be run, without a trace.
 *
 * @param command as in {@link RecordRequest}
 * @param mpicc the compiler of the MPI in use, if the user names it
 * @param jitterSeed delays ranks at random around MPI calls; empty: they run as without Reprise
 */
public record RunRequest(List<String> command, Optional<Path> mpicc, OptionalLong jitterSeed) {
  public RunRequest {
    command = List.copyOf(command);
  }
}
