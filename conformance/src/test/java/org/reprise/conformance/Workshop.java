package org.reprise.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.reprise.trace.file.PrivateFiles;

/**
 * What all tests share and nothing of which outlives them: the examples, built once for each MPI,
 * the cache in which the interposers are kept, and the one that lets Reprise start quickly, as
 * {@code ./reprise} has one.
 */
final class Workshop implements AutoCloseable {
  private static final Duration BUILD_LIMIT = Duration.ofMinutes(10);

  private final Path directory;
  private final Set<Mpi> built = EnumSet.noneOf(Mpi.class);
  private final List<String> java;

  Workshop() throws IOException {
    directory = Files.createTempDirectory("reprise-conformance-");
    java = quick(directory.resolve("start.aot"));
  }

  /** How Reprise is started. The JVM does without a cache that it cannot make or use. */
  private static List<String> quick(Path cache) {
    List<String> recording = List.of("record", "-o", cache + ".run", "--", "true");
    await(words("-XX:AOTCacheOutput=" + cache, recording), Path.of(cache + ".log"));
    return words("-XX:AOTCache=" + cache, List.of());
  }

  private static List<String> words(String cacheOption, List<String> words) {
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:disable"));
    java.addAll(List.of(cacheOption, "--enable-native-access=ALL-UNNAMED"));
    java.addAll(List.of("-Dreprise.root=" + root(), "-cp", classPath()));
    java.add("org.reprise.cli.Reprise");
    java.addAll(words);
    return java;
  }

  /** Without the tests: a cache is for jars alone. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.endsWith("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** What {@code ./reprise} would start, on the class path of the tests. */
  List<String> java(List<String> words) {
    return Stream.concat(java.stream(), words.stream()).toList();
  }

  /** The root of the project. */
  static Path root() {
    return Path.of(System.getProperty("reprise.root"));
  }

  Path directory() {
    return directory;
  }

  /** Where the examples for this MPI are. Without the MPI, a test is skipped; in CI it fails. */
  synchronized Path examples(Mpi mpi) {
    require(mpi.mpicc());
    require(mpi.mpirun());
    if (built.add(mpi)) {
      commands(mpi).forEach(this::make);
      assertThat(out(mpi).resolve("conformance")).isExecutable();
    }
    return out(mpi);
  }

  private Path out(Mpi mpi) {
    return directory.resolve(mpi.directory());
  }

  /** What the build of the examples looks like in a shell. */
  List<List<String>> commands(Mpi mpi) {
    String flags = String.join(" ", compilerFlags(mpi));
    List<String> make = new ArrayList<>(List.of("make", "-j2", "-C"));
    make.addAll(List.of(root().resolve("examples").toString(), "MPICC=" + mpi.mpicc()));
    make.addAll(List.of("CFLAGS=" + flags, "CXXFLAGS=" + flags, "FFLAGS=" + flags));
    make.add("OUT=" + out(mpi));
    if (mpi != Mpi.MPICH) {
      return List.of(make);
    }
    String source = root().resolve("conformance/src/test/c/give_way.c").toString();
    return List.of(
        List.of("gcc", "-O2", "-shared", "-fPIC", "-o", giveWay().toString(), source), make);
  }

  /**
   * For a program that is to run with this MPI; where its ranks do not give way, they are made to.
   */
  List<String> compilerFlags(Mpi mpi) {
    return mpi == Mpi.MPICH
        ? List.of("-O2", "-g", "-Wl,--no-as-needed," + giveWay())
        : List.of("-O2", "-g");
  }

  /**
   * Named as a part of UCX: it stands in for a function of that, and is no code of the program's.
   */
  private Path giveWay() {
    return directory.resolve("libucx_give_way.so");
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

  private void make(List<String> command) {
    Path log = directory.resolve("make.log");
    assertThat(await(command, log)).as(() -> read(log)).isZero();
  }

  private static int await(List<String> command, Path log) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        assertThat(process.waitFor(BUILD_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new AssertionError(command.getFirst() + " does not start", e);
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
