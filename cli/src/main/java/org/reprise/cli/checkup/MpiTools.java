package org.reprise.cli.checkup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The compiler wrapper of one MPI and the launcher that goes with it: {@code mpicc} has {@code
 * mpirun} beside it, {@code mpicc.mpich} has {@code mpirun.mpich}.
 */
public record MpiTools(Path mpicc, Optional<Path> mpirun) {
  /** As Debian calls them where several are installed; the plain name is one of the others. */
  private static final List<String> SUFFIXES = List.of(".openmpi", ".mpich", ".mvapich", "");

  /** All on PATH, each once. */
  public static List<MpiTools> findAll(Map<String, String> environment) {
    Set<Path> seen = new HashSet<>();
    List<MpiTools> found = new ArrayList<>();
    for (Path directory : Tool.path(environment)) {
      for (String suffix : SUFFIXES) {
        Path mpicc = directory.resolve("mpicc" + suffix);
        if (Files.isExecutable(mpicc) && seen.add(Tool.real(mpicc))) {
          found.add(new MpiTools(mpicc, launcher(directory, suffix)));
        }
      }
    }
    return found;
  }

  private static Optional<Path> launcher(Path directory, String suffix) {
    return List.of("mpirun", "mpiexec").stream()
        .map(name -> directory.resolve(name + suffix))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
