package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.reprise.trace.PrivateFiles;

/**
 * What all tests share and nothing of which outlives them: the examples, built once for each MPI,
 * and the cache in which the interposers are kept.
 */
final class Workshop implements AutoCloseable {
  private static final Duration BUILD_LIMIT = Duration.ofMinutes(10);

  private final Path directory;
  private final Set<Mpi> built = EnumSet.noneOf(Mpi.class);

  Workshop() throws IOException {
    directory = Files.createTempDirectory("reprise-conformance-");
  }

  /** The root of the project. */
  static Path root() {
    return Path.of(System.getProperty("reprise.root"));
  }

  Path directory() {
    return directory;
  }

  /** Where the examples for this MPI are. Without the MPI, a test is skipped; in CI it fails. */
  Path examples(Mpi mpi) {
    require(mpi.mpicc());
    require(mpi.mpirun());
    Path out = directory.resolve(mpi.directory());
    if (built.add(mpi)) {
      make(mpi, out);
    }
    return out;
  }

  /** What the build of the examples looks like in a shell. */
  List<String> makeCommand(Mpi mpi) {
    return List.of(
        "make",
        "-j2",
        "-C",
        root().resolve("examples").toString(),
        "MPICC=" + mpi.mpicc(),
        "OUT=" + directory.resolve(mpi.directory()));
  }

  /** Skips the test where a tool is missing, unless in CI, where everything must be there. */
  static void require(String tool) {
    boolean there =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
            .anyMatch(entry -> Files.isExecutable(Path.of(entry).resolve(tool)));
    requireThat(there, tool + " is not installed");
  }

  static void requireThat(boolean condition, String otherwise) {
    if ("true".equals(System.getenv("CI"))) {
      assertThat(condition).as("in CI nothing is skipped, but %s", otherwise).isTrue();
    }
    assumeTrue(condition, otherwise);
  }

  private void make(Mpi mpi, Path out) {
    Path log = directory.resolve("make.log");
    try {
      Process make =
          new ProcessBuilder(makeCommand(mpi))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        assertThat(make.waitFor(BUILD_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(make.exitValue()).as(() -> read(log)).isZero();
        assertThat(out.resolve("conformance")).isExecutable();
      } finally {
        make.descendants().forEach(ProcessHandle::destroyForcibly);
        make.destroyForcibly();
      }
    } catch (IOException e) {
      throw new AssertionError("make does not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() throws IOException {
    PrivateFiles.removeTree(directory);
  }
}
