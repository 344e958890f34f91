package org.reprise.launch.interposer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.reprise.launch.process.LaunchCommand;
import org.reprise.launch.process.MpiLibraries;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.process.ToolRun;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.UserError;

/**
 * Finds the MPI a command uses. The program itself knows best, then its launcher; where neither
 * tells (a script under srun), the mpicc on PATH is taken for it.
 */
public final class MpiSearch {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Surroundings surroundings;

  MpiSearch(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** The installation of the command's MPI, or a {@link UserError} that says how to get one. */
  MpiInstallation find(LaunchCommand command, Optional<Path> mpicc) {
    if (mpicc.isPresent()) {
      return named(mpicc.get());
    }
    refuseStatic(command);
    Optional<MpiFamily> family = familyOf(command);
    Set<Path> asked = new LinkedHashSet<>();
    for (Path candidate : candidates(command, family)) {
      if (asked.add(candidate)) {
        Optional<MpiInstallation> found = MpiInstallation.ask(candidate, surroundings);
        if (found.isPresent() && (family.isEmpty() || family.get() == found.get().family())) {
          return found.get();
        }
      }
    }
    throw noCompiler(family, asked);
  }

  private MpiInstallation named(Path mpicc) {
    Path file =
        surroundings
            .findExecutable(mpicc.toString())
            .orElseThrow(
                () ->
                    new UserError(
                        "--mpicc names no executable",
                        mpicc.toString(),
                        "give the path of the mpicc your program was compiled with"));
    return MpiInstallation.ask(file, surroundings)
        .orElseThrow(
            () ->
                new UserError(
                    file + " is not an MPI compiler wrapper that works",
                    "it does not answer -show, or its mpi.h does not compile",
                    "try: " + file + " -show"));
  }

  private static void refuseStatic(LaunchCommand command) {
    command
        .staticProgram()
        .ifPresent(
            program -> {
              throw new UserError(
                  program + " is statically linked, so Reprise cannot be loaded into it",
                  "an ELF file without a program interpreter",
                  "link it dynamically (without -static), or name its MPI with --mpicc if "
                      + "it only starts the MPI program");
            });
  }

  /** The family of the command's MPI, as far as the program and its launcher tell. */
  Optional<MpiFamily> familyOf(LaunchCommand command) {
    return familyOfPrograms(command).or(() -> familyOfLauncher(command));
  }

  /** The family of the launcher, by its name or else by what it says about itself. */
  Optional<MpiFamily> familyOfLauncher(LaunchCommand command) {
    return command.familyByLauncherName().or(() -> familyByLauncherVersion(command));
  }

  /** What comes of it if the launcher is not of the program's MPI, in words. */
  Optional<String> mixture(LaunchCommand command) {
    return familyOfPrograms(command)
        .flatMap(
            program ->
                familyOfLauncher(command)
                    .filter(launcher -> launcher != program)
                    .map(
                        launcher ->
                            ("the launcher is %s's and the program is linked with %s,"
                                    + " so every process was a job of one rank;"
                                    + " start it with the mpirun of %s")
                                .formatted(launcher, program, program)));
  }

  /** The family of the first executable that is linked with an MPI. */
  public static Optional<MpiFamily> familyOfPrograms(LaunchCommand command) {
    return command.executables().stream()
        .map(MpiLibraries::familyOf)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<MpiFamily> familyByLauncherVersion(LaunchCommand command) {
    boolean isSlurm =
        command.launcher().filter(file -> file.getFileName().toString().equals("srun")).isPresent();
    if (command.launcher().isEmpty() || isSlurm) {
      return Optional.empty();
    }
    List<String> question = List.of(command.launcher().get().toString(), "--version");
    return familyByVersionText(
        ToolRun.of(question, surroundings.directory(), surroundings, PATIENCE).output());
  }

  static Optional<MpiFamily> familyByVersionText(String text) {
    if (text.contains("Open MPI") || text.contains("OpenRTE") || text.contains("PRRTE")) {
      return Optional.of(MpiFamily.OPEN_MPI);
    }
    return text.contains("HYDRA") || text.contains("MPICH") || text.contains("Intel(R) MPI")
        ? Optional.of(MpiFamily.MPICH)
        : Optional.empty();
  }

  /** Compilers that may belong to the MPI, the likeliest first. */
  private List<Path> candidates(LaunchCommand command, Optional<MpiFamily> family) {
    List<Path> candidates = new ArrayList<>();
    command.launcher().ifPresent(file -> addSiblings(file, candidates));
    command.launcher().ifPresent(file -> addSiblings(LaunchCommand.realPath(file), candidates));
    family
        .flatMap(
            known ->
                switch (known) {
                  case OPEN_MPI -> Optional.of("mpicc.openmpi");
                  case MPICH -> Optional.of("mpicc.mpich");
                  case OTHER, EMBEDDED -> Optional.empty();
                })
        .flatMap(surroundings::findExecutable)
        .ifPresent(candidates::add);
    surroundings.findExecutable("mpicc").ifPresent(candidates::add);
    return candidates;
  }

  /** /opt/x/bin/mpirun has /opt/x/bin/mpicc; /usr/bin/mpirun.mpich has /usr/bin/mpicc.mpich. */
  private void addSiblings(Path launcher, List<Path> candidates) {
    String name = String.valueOf(launcher.getFileName());
    int dot = name.indexOf('.');
    String suffix = dot < 0 ? "" : name.substring(dot);
    for (String sibling : List.of("mpicc" + suffix, "mpicc")) {
      surroundings
          .findExecutable(launcher.resolveSibling(sibling).toString())
          .ifPresent(candidates::add);
    }
  }

  private static UserError noCompiler(Optional<MpiFamily> family, Set<Path> asked) {
    String found =
        asked.isEmpty()
            ? "no mpicc on PATH"
            : "none of these is for it: "
                + String.join(", ", asked.stream().map(Path::toString).toList());
    String anyOther = "; or name the compiler with --mpicc";
    return switch (family.orElse(MpiFamily.OTHER)) {
      case OPEN_MPI ->
          new UserError(
              "there is no compiler for Open MPI, which this program uses",
              found,
              "sudo apt install libopenmpi-dev" + anyOther);
      case MPICH ->
          new UserError(
              "there is no compiler for MPICH, which this program uses",
              found,
              "sudo apt install libmpich-dev" + anyOther);
      case OTHER, EMBEDDED ->
          new UserError(
              "there is no MPI compiler, which Reprise needs once to prepare itself",
              found,
              "sudo apt install libopenmpi-dev (or libmpich-dev)" + anyOther);
    };
  }
}
