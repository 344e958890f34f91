package org.reprise.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.UserError;

/**
 * The library that is loaded into the ranks. It is compiled on first use for the MPI at hand and
 * kept in {@code $XDG_CACHE_HOME/reprise}, else {@code ~/.cache/reprise}, under a name made from
 * everything that went into it.
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
            "events/", "src/log.c", "src/memory.c", "src/modules.c", "src/real.c", "src/say.c"));

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

  static Path libraryFor(
      Library wanted, MpiInstallation mpi, Surroundings surroundings, Map<String, String> sources) {
    Path cache = cache(surroundings);
    Path library = cache.resolve(wanted.name + key(wanted, mpi, sources) + ".so");
    if (library.toString().matches(".*[\\s:].*")) {
      throw new UserError(
          "the loader cannot take a library from a path with a space or a colon",
          library.toString(),
          "set XDG_CACHE_HOME to a directory without them");
    }
    if (!Files.isRegularFile(library)) {
      build(wanted, mpi, surroundings, sources, cache, library);
    }
    return library;
  }

  private static Path cache(Surroundings surroundings) {
    String xdg = surroundings.variable("XDG_CACHE_HOME");
    if (xdg.startsWith("/")) {
      return Path.of(xdg, "reprise");
    }
    String home = surroundings.environment().getOrDefault("HOME", System.getProperty("user.home"));
    return Path.of(home, ".cache", "reprise");
  }

  private static List<String> compileCommand(
      Library wanted, MpiInstallation mpi, Map<String, String> sources) {
    List<String> command = new ArrayList<>(mpi.compiler());
    command.addAll(List.of("-std=gnu11", "-O2", "-g", "-fPIC", "-shared", "-fvisibility=hidden"));
    command.addAll(List.of("-Wall", "-Wl,-z,now", "-I", "include", "-I", "src", "-I", "."));
    command.addAll(mpi.flags());
    command.addAll(List.of("-o", "libreprise.so"));
    sources.keySet().stream().filter(wanted::holds).forEach(command::add);
    command.addAll(List.of("-ldl", "-lpthread"));
    return command;
  }

  private static String key(Library wanted, MpiInstallation mpi, Map<String, String> sources) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      List<String> parts = new ArrayList<>(compileCommand(wanted, mpi, sources));
      parts.add(mpi.macros());
      sources.forEach(
          (path, text) -> {
            parts.add(path);
            parts.add(text);
          });
      mpiHeader(mpi).ifPresent(parts::add);
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Which mpi.h it is: an update in place changes its time, if not its macros. */
  private static Optional<String> mpiHeader(MpiInstallation mpi) {
    return mpi.flags().stream()
        .filter(flag -> flag.startsWith("-I"))
        .map(flag -> Path.of(flag.substring(2), "mpi.h"))
        .filter(Files::isRegularFile)
        .findFirst()
        .map(
            header -> {
              try {
                return header.toRealPath()
                    + " "
                    + Files.size(header)
                    + " "
                    + Files.getLastModifiedTime(header);
              } catch (IOException e) {
                return header.toString();
              }
            });
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
      Path workshop = PrivateFiles.createTemporaryDirectory(cache, "build-");
      try {
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
        // Two recorders may build the same library at once; either one will do.
        Files.move(workshop.resolve("libreprise.so"), library, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        PrivateFiles.removeTree(workshop);
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
