package org.reprise.launch.interposer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.launch.process.LaunchCommand;
import org.reprise.launch.process.PreparedCommand;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.UserError;

/**
 * Everything a command needs before it can be started with the interposer: the command taken apart,
 * its MPI, and the libraries for that MPI.
 */
public record Preparation(
    LaunchCommand command, MpiInstallation mpi, List<Path> libraries, Surroundings surroundings) {
  public Preparation {
    libraries = List.copyOf(libraries);
  }

  public static Preparation of(
      List<String> words, Surroundings surroundings, Optional<Path> mpicc) {
    if (words.isEmpty()) {
      throw new UserError(
          "there is no command to run", "no words", "reprise record mpirun -n 4 ./program");
    }
    LaunchCommand command = LaunchCommand.parse(words, surroundings);
    MpiInstallation mpi = new MpiSearch(surroundings).find(command, mpicc);
    List<Path> libraries = List.of(Interposer.libraryFor(mpi, surroundings));
    return new Preparation(command, mpi, libraries, surroundings);
  }

  /** The same with the library of events in front of the recorder. */
  public Preparation withEvents() {
    List<Path> both = new ArrayList<>(List.of(Interposer.eventsLibraryFor(mpi, surroundings)));
    both.addAll(libraries);
    return new Preparation(command, mpi, both, surroundings);
  }

  /** The same with the library of checkpoints behind the recorder. */
  public Preparation withCheckpoints() {
    List<Path> more = new ArrayList<>(libraries);
    more.add(Interposer.checkpointsLibraryFor(mpi, surroundings));
    return new Preparation(command, mpi, more, surroundings);
  }

  /** The command as it is to be started, the interposer being told these variables. */
  public PreparedCommand tell(Map<String, String> variables, List<String> launcherOptions) {
    return PreparedCommand.of(
        command, surroundings, launcherFamily(), libraries, variables, launcherOptions);
  }

  /** What does not go together in the command, in words. */
  public Optional<String> mixture() {
    return new MpiSearch(surroundings).mixture(command);
  }

  /** The family of the launcher itself, which says which options it takes. */
  public Optional<MpiFamily> launcherFamily() {
    return new MpiSearch(surroundings).familyOfLauncher(command);
  }
}
