package org.reprise.launch.mpi;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.reprise.launch.interposer.MpiInstallation;
import org.reprise.launch.interposer.MpiSearch;
import org.reprise.launch.interposer.Preparation;
import org.reprise.launch.process.LaunchCommand;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.run.Permission;
import org.reprise.trace.UserError;
import org.reprise.trace.run.RecordedEnvironment;
import org.reprise.trace.run.RecordedRun;
import org.reprise.trace.run.RunDescription;

/**
 * The command of a recorded run, ready to be started again: permitted, in the recorded directory,
 * with the environment and standard input that mattered.
 *
 * @param own whether the run is the user's own
 */
record RestoredCommand(List<String> words, boolean own, Preparation preparation) {
  RestoredCommand {
    words = List.copyOf(words);
  }

  /**
   * Restores a command.
   *
   * @param other what the user wants to run in place of the recorded command
   * @param mpicc the compiler of the MPI in use, if the user names it
   */
  static RestoredCommand of(
      RecordedRun recorded,
      Optional<List<String>> other,
      Optional<Path> mpicc,
      Surroundings surroundings,
      Permission permission) {
    List<String> words = other.orElse(recorded.description().command());
    boolean own = permission.toExecute(recorded, words) == Permission.Origin.OWN;
    Surroundings restored = restored(recorded, own, surroundings);
    return new RestoredCommand(
        words,
        own,
        Preparation.of(
            words,
            restored,
            mpicc.or(() -> own ? recordedMpicc(recorded, words, restored) : Optional.empty())));
  }

  private static Surroundings restored(
      RecordedRun recorded, boolean own, Surroundings surroundings) {
    RunDescription description = recorded.description();
    Path directory = Path.of(description.directory());
    if (!Files.isDirectory(directory)) {
      throw new UserError(
          "the directory the run was recorded in is gone",
          directory.toString(),
          "bring it back, or record again");
    }
    return new Surroundings(
        RecordedEnvironment.restored(surroundings.environment(), description, own),
        directory,
        description.stdinKept()
            ? new StandardInput.Kept(recorded.directory().stdinFile())
            : surroundings.input());
  }

  /** The recorded compiler, unless the program says that it has changed to another MPI. */
  private static Optional<Path> recordedMpicc(
      RecordedRun recorded, List<String> words, Surroundings restored) {
    RunDescription.Mpi then = recorded.description().mpi();
    boolean sameFamily =
        MpiSearch.familyOfPrograms(LaunchCommand.parse(words, restored))
            .map(family -> family == then.family())
            .orElse(true);
    return Optional.of(Path.of(then.mpicc()))
        .filter(mpicc -> sameFamily)
        .filter(Files::isExecutable)
        .filter(mpicc -> MpiInstallation.ask(mpicc, restored).isPresent());
  }
}
