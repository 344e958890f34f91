package org.reprise.launch.interposer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.reprise.launch.process.Scratch;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.process.ToolRun;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;

/**
 * The library that is loaded into the ranks. It is compiled on first use for the MPI at hand and
 * kept in the {@link BuildCache}.
 */
public final class Interposer {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int MESSAGE_LINES_MAX = 30;

  /**
   * The libraries that the sources are compiled to. A rank of which only the order is wanted never
   * loads the other.
   */
  enum Library {
    /** Records outcomes, or forces them. */
    RECORDER("libreprise-", List.of("src/")),
    /** Stands in front of the recorder and writes down every call. */
    EVENTS(
        "libreprise-events-",
        List.of(
            "events/",
            "src/frames.c",
            "src/log.c",
            "src/memory.c",
            "src/modules.c",
            "src/python.c",
            "src/real.c",
            "src/say.c")),
    /** Stands behind the recorder, takes checkpoints, and serves ranks that are restored. */
    CHECKPOINTS(
        "libreprise-checkpoints-",
        List.of("restore/", "src/memory.c", "src/modules.c", "src/real.c", "src/say.c"));

    private final String name;
    private final List<String> parts;

    Library(String name, List<String> parts) {
      this.name = name;
      this.parts = parts;
    }

    private boolean holds(String path) {
      return path.endsWith(".c") && parts.stream().anyMatch(path::startsWith);
    }
  }

  /** The compiled recorder for this MPI; compiles it if it is not there yet. */
  public static Path libraryFor(MpiInstallation mpi, Surroundings surroundings) {
    return libraryFor(Library.RECORDER, mpi, surroundings, InterposerSources.all());
  }

  /** The compiled library of events for this MPI, to be loaded in front of the recorder. */
  public static Path eventsLibraryFor(MpiInstallation mpi, Surroundings surroundings) {
    return libraryFor(Library.EVENTS, mpi, surroundings, InterposerSources.all());
  }

  /** The compiled library of checkpoints for this MPI, to be loaded behind the recorder. */
  public static Path checkpointsLibraryFor(MpiInstallation mpi, Surroundings surroundings) {
    return libraryFor(Library.CHECKPOINTS, mpi, surroundings, InterposerSources.all());
  }

  static Path libraryFor(
      Library wanted, MpiInstallation mpi, Surroundings surroundings, Map<String, String> sources) {
    BuildCache cache = BuildCache.of(surroundings);
    String name = wanted.name + key(wanted, mpi, sources) + ".so";
    Path library = cache.directory().resolve(name);
    if (library.toString().matches(".*[\\s:].*")) {
      throw new UserError(
          "the loader cannot take a library from a path with a space or a colon",
          library.toString(),
          "set XDG_CACHE_HOME to a directory without them");
    }
    cache.requirePrivate();
    if (!cache.has(name)) {
      build(wanted, mpi, surroundings, sources, cache.directory(), library);
    }
    return library;
  }

  private static List<String> compileCommand(
      Library wanted, MpiInstallation mpi, Map<String, String> sources) {
    List<String> command = new ArrayList<>(mpi.compiler());
    // Without symbols: a debugger would take our variables for the program's.
    command.addAll(List.of("-std=gnu11", "-O2", "-s", "-fPIC", "-shared", "-fvisibility=hidden"));
    command.addAll(List.of("-Wall", "-Wl,-z,now", "-I", "include", "-I", "src", "-I", "."));
    command.addAll(mpi.flags());
    command.addAll(List.of("-o", "libreprise.so"));
    sources.keySet().stream().filter(wanted::holds).forEach(command::add);
    command.addAll(List.of("-ldl", "-lpthread"));
    return command;
  }

  private static String key(Library wanted, MpiInstallation mpi, Map<String, String> sources) {
    List<String> parts = new ArrayList<>(compileCommand(wanted, mpi, sources));
    parts.add(mpi.macros());
    sources.forEach(
        (path, text) -> {
          parts.add(path);
          parts.add(text);
        });
    MpiInstallation.header(mpi.flags()).flatMap(BuildCache::stamp).ifPresent(parts::add);
    return BuildCache.key(parts);
  }

  private static void build(
      Library wanted,
      MpiInstallation mpi,
      Surroundings surroundings,
      Map<String, String> sources,
      Path cache,
      Path library) {
    try {
      PrivateFiles.createDirectories(cache);
      try (Scratch scratch = Scratch.create(cache, "build-")) {
        Path workshop = scratch.path();
        for (Map.Entry<String, String> source : sources.entrySet()) {
          Path file = workshop.resolve(source.getKey()).normalize();
          if (!file.startsWith(workshop)) {
            throw new IllegalStateException("a source outside: " + source.getKey());
          }
          Files.createDirectories(file.getParent());
          Files.writeString(file, source.getValue());
        }
        ToolRun compiled =
            ToolRun.of(compileCommand(wanted, mpi, sources), workshop, surroundings, PATIENCE);
        if (!compiled.succeeded()) {
          throw doesNotCompile(mpi, compiled);
        }
        // Whatever the user's umask is, nobody else is to change it.
        Files.setPosixFilePermissions(
            workshop.resolve("libreprise.so"), PosixFilePermissions.fromString("rwx------"));
        // Two recorders may build the same library at once; either one will do.
        Files.move(workshop.resolve("libreprise.so"), library, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UserError(
          "cannot prepare the interposer in " + cache,
          String.valueOf(e.getMessage()),
          "set XDG_CACHE_HOME to a directory you may write to");
    }
  }

  private static UserError doesNotCompile(MpiInstallation mpi, ToolRun compiled) {
    List<String> lines = compiled.output().lines().limit(MESSAGE_LINES_MAX).toList();
    return new UserError(
        "the interposer does not compile for " + mpi.version() + " (" + mpi.mpicc() + ")",
        "the compiler says:\n" + String.join("\n", lines),
        "check that "
            + mpi.mpicc()
            + " compiles a small MPI program, or name another with --mpicc");
  }

  private Interposer() {}
}
