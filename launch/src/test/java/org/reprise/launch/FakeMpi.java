package org.reprise.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.reprise.launch.process.StandardInput;
import org.reprise.launch.process.Surroundings;
import org.reprise.launch.process.ToolRun;

/**
 * Doubles of what an MPI installs: a directory with scripts named mpicc and mpirun, an mpi.h that
 * defines no more than the macros which tell the MPIs apart, and programs linked with an empty
 * library of the right name.
 */
public final class FakeMpi {
  public static final String OPEN_MPI_MACROS =
      """
      #define OPEN_MPI 1
      #define OMPI_MAJOR_VERSION 4
      #define OMPI_MINOR_VERSION 1
      #define OMPI_RELEASE_VERSION 4
      """;
  public static final String MPICH_MACROS = "#define MPICH_VERSION \"4.0.2\"\n";

  private final Path directory;

  public FakeMpi(Path directory) {
    this.directory = directory;
  }

  /** The user's environment with nothing but these directories on PATH, besides the system's. */
  public Surroundings surroundings(Path... path) {
    List<String> entries = new ArrayList<>();
    for (Path entry : path) {
      entries.add(entry.toString());
    }
    // The C compiler and the shell are needed; the machine's own mpicc must not be found.
    Path system = systemTools();
    entries.add(system.toString());
    return new Surroundings(
        Map.of(
            "PATH", String.join(":", entries),
            "XDG_CACHE_HOME", directory.resolve("cache").toString(),
            "HOME", directory.toString()),
        directory,
        new StandardInput.Inherited());
  }

  private Path systemTools() {
    try {
      Path tools = Files.createDirectories(directory.resolve("tools"));
      for (String tool : List.of("gcc", "cc", "as", "ld", "sh", "bash", "env", "cat", "python3")) {
        Path real = Path.of("/usr/bin", tool);
        if (Files.exists(real) && !Files.exists(tools.resolve(tool))) {
          script("tools/" + tool, "exec " + real + " \"$@\"\n");
        }
      }
      return tools;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** An executable script. */
  public Path script(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  /** A compiler wrapper for an mpi.h with these macros. */
  public Path mpicc(String name, String macros) throws IOException {
    Path include =
        Files.createDirectories(directory.resolve("include-of-" + name.replace('/', '-')));
    Files.writeString(include.resolve("mpi.h"), macros);
    return script(name, "echo gcc -I" + include + " -L/nowhere -lmpi\n");
  }

  /** A program that names this library, and does nothing. */
  public Path program(String name, String library) throws IOException {
    Files.writeString(directory.resolve("main.c"), "int main(void) { return 0; }\n");
    Files.writeString(directory.resolve("library.c"), "int x;\n");
    compile(directory, "-shared", "-Wl,-soname," + library, "-o", "libfake.so", "library.c");
    return compile(directory, "-o", name, "main.c", "-Wl,--no-as-needed", "-L.", "-lfake");
  }

  /** Runs gcc in a directory; the file after -o. */
  public static Path compile(Path directory, String... arguments) {
    List<String> command = new ArrayList<>(List.of("gcc"));
    command.addAll(List.of(arguments));
    ToolRun compiled =
        ToolRun.of(command, directory, MpiUnderTest.surroundings(Map.of()), Duration.ofMinutes(1));
    assertThat(compiled.output()).isEmpty();
    return directory.resolve(arguments[List.of(arguments).indexOf("-o") + 1]);
  }
}
