package org.reprise.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is to be recorded.
 *
 * @param mpicc the compiler of the MPI in use, if the user names it
 * @param jitterSeed delays ranks at random around MPI calls, so that other orders come up
 * @param inputs whether clocks and random sources are recorded too
 */
public record RecordRequest(
    List<String> command, Optional<Path> mpicc, OptionalLong jitterSeed, boolean inputs) {
  public RecordRequest {
    command = List.copyOf(command);
  }
}
