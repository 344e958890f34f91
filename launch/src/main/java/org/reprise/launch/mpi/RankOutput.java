package org.reprise.launch.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.reprise.launch.process.LaunchCommand;
import org.reprise.trace.MpiFamily;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;

/**
 * The output of each rank in a file of its own: {@code rank-<r>.out} and {@code rank-<r>.err} in a
 * directory. Launchers do it, each with an option and a layout of its own.
 */
final class RankOutput {
  private static final Pattern OPEN_MPI_RANK = Pattern.compile("rank\\.0*([0-9]+)");
  private static final String OPEN_MPI_LAYOUT = ".open-mpi";

  private final Path directory;
  private final Optional<MpiFamily> family;
  private final Optional<Path> launcher;

  RankOutput(Path directory, Optional<MpiFamily> family, LaunchCommand command) {
    if (command.launcher().isPresent() && !command.startsLauncher()) {
      throw new UserError(
          "the output of ranks cannot be separated if another program starts the launcher",
          command.words().getFirst() + " starts it",
          "leave the option out");
    }
    this.directory = directory.toAbsolutePath().normalize();
    this.family = family;
    this.launcher = command.launcher();
    try {
      Files.createDirectories(this.directory);
    } catch (IOException e) {
      throw new UserError(
          "cannot write the output of the ranks to " + this.directory,
          String.valueOf(e.getMessage()),
          "name a directory you may write to");
    }
  }

  /** Words for the launcher. */
  List<String> options() {
    if (launcher.isEmpty()) {
      return List.of();
    }
    if (launcher.get().getFileName().toString().equals("srun")) {
      return List.of("--output=" + file("%t", "out"), "--error=" + file("%t", "err"));
    }
    return switch (family.orElse(MpiFamily.OTHER)) {
      case OPEN_MPI -> List.of("--output-filename", directory.resolve(OPEN_MPI_LAYOUT) + ":nocopy");
      case MPICH ->
          List.of("-outfile-pattern", file("%r", "out"), "-errfile-pattern", file("%r", "err"));
      case OTHER, EMBEDDED ->
          throw new UserError(
              "Reprise does not know how this launcher separates the output of ranks",
              launcher.get().toString(),
              "leave the option out, or use mpirun of Open MPI or MPICH, or srun");
    };
  }

  /** Where the whole output goes if there is no launcher, and so only one rank. */
  Optional<Path> wholeOutput() {
    return launcher.isEmpty() ? Optional.of(Path.of(file("0", "out"))) : Optional.empty();
  }

  private String file(String rank, String suffix) {
    return directory.resolve("rank-" + rank + "." + suffix).toString();
  }

  /** Brings Open MPI's {@code 1/rank.0/stdout} into our layout, once the job has ended. */
  void collect() {
    Path layout = directory.resolve(OPEN_MPI_LAYOUT);
    if (!Files.isDirectory(layout)) {
      return;
    }
    try (Stream<Path> files = Files.walk(layout, 3)) {
      for (Path folder : (Iterable<Path>) files::iterator) {
        Matcher rank = OPEN_MPI_RANK.matcher(String.valueOf(folder.getFileName()));
        if (rank.matches()) {
          move(folder.resolve("stdout"), file(rank.group(1), "out"));
          move(folder.resolve("stderr"), file(rank.group(1), "err"));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      removeQuietly(layout);
    }
  }

  private static void move(Path from, String to) throws IOException {
    if (Files.exists(from)) {
      Files.move(from, Path.of(to), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void removeQuietly(Path layout) {
    try {
      PrivateFiles.removeTree(layout);
    } catch (IOException e) {
      System.getLogger(RankOutput.class.getName())
          .log(System.Logger.Level.WARNING, "cannot remove " + layout, e);
    }
  }
}
