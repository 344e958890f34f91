package org.reprise.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.UserError;

/**
 * Everything a command needs before it can be started with the interposer: the command taken apart,
 * its MPI, and the library for that MPI.
 */
record Preparation(
    LaunchCommand command, MpiInstallation mpi, Path library, Surroundings surroundings) {

  static Preparation of(List<String> words, Surroundings surroundings, Optional<Path> mpicc) {
    if (words.isEmpty()) {
      throw new UserError(
          "there is no command to run", "no words", "reprise record mpirun -n 4 ./program");
    }
    LaunchCommand command = LaunchCommand.parse(words, surroundings);
    MpiInstallation mpi = new MpiSearch(surroundings).find(command, mpicc);
    return new Preparation(command, mpi, Interposer.libraryFor(mpi, surroundings), surroundings);
  }

  /** The command as it is to be started, the interposer being told these variables. */
  PreparedCommand tell(Map<String, String> variables, List<String> launcherOptions) {
    return PreparedCommand.of(
        command, surroundings, launcherFamily(), library, variables, launcherOptions);
  }

  /** The family of the launcher itself, which says which options it takes. */
  Optional<MpiFamily> launcherFamily() {
    return new MpiSearch(surroundings).familyOfLauncher(command);
  }
}
