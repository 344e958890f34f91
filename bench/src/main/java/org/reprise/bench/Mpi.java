package org.reprise.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.reprise.launch.interposer.Interposer;
import org.reprise.launch.interposer.MpiInstallation;
import org.reprise.launch.process.Surroundings;
import org.reprise.trace.UserError;

/**
 * An MPI to measure with.
 *
 * @param name as Debian's alternatives call it: openmpi, mpich
 * @param library the interposer for it
 */
record Mpi(
    String name, String version, String mpicc, String mpirun, Path library, Path eventsLibrary) {
  static final List<String> NAMES = List.of("openmpi", "mpich");

  static Mpi named(String name) {
    Path mpicc = onPath("mpicc." + name);
    Surroundings surroundings = Surroundings.current();
    MpiInstallation installation =
        MpiInstallation.ask(mpicc, surroundings)
            .orElseThrow(
                () ->
                    new UserError(
                        mpicc + " does not compile", "no answer to -show", "install its headers"));
    return new Mpi(
        name,
        installation.version(),
        mpicc.toString(),
        onPath("mpirun." + name).toString(),
        Interposer.libraryFor(installation, surroundings),
        Interposer.eventsLibraryFor(installation, surroundings));
  }

  static boolean isInstalled(String name) {
    return isOnPath("mpicc." + name) && isOnPath("mpirun." + name);
  }

  private static boolean isOnPath(String tool) {
    return candidates(tool).stream().anyMatch(Files::isExecutable);
  }

  private static Path onPath(String tool) {
    return candidates(tool).stream()
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new UserError(
                    "there is no " + tool + " to measure with",
                    "PATH " + System.getenv("PATH"),
                    "install it, or name the other MPI with --mpi"));
  }

  private static List<Path> candidates(String tool) {
    String path = System.getenv().getOrDefault("PATH", "");
    return List.of(path.split(":")).stream().map(entry -> Path.of(entry, tool)).toList();
  }

  /**
   * The words that start a program of {@code ranks} ranks before whatever else runs here. Linux
   * shares processors among sessions first, and launchers open sessions: so each rank asks itself.
   */
  List<String> commandWithRightOfWay(int ranks, Path program, List<String> arguments) {
    List<String> words = new ArrayList<>(List.of(mpirun, "-n", String.valueOf(ranks)));
    words.addAll(
        List.of(
            "sh",
            "-c",
            "{ echo -15 >/proc/self/autogroup; } 2>/dev/null; exec nice -n -15 \"$0\" \"$@\"",
            program.toString()));
    words.addAll(arguments);
    return words;
  }

  /** The words that start a program of {@code ranks} ranks. */
  List<String> command(int ranks, Path program, List<String> arguments) {
    List<String> words = new ArrayList<>(List.of(mpirun, "-n", String.valueOf(ranks)));
    words.add(program.toString());
    words.addAll(arguments);
    return words;
  }

  /** What the launcher needs: root may run it, and there may be more ranks than processors. */
  Map<String, String> environment(int ranks) {
    Map<String, String> environment = new HashMap<>();
    environment.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    environment.put("OMPI_MCA_rmaps_base_oversubscribe", "1");
    if (ranks > Runtime.getRuntime().availableProcessors()) {
      environment.put("OMPI_MCA_mpi_yield_when_idle", "1");
    }
    return environment;
  }
}
