package org.reprise.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.reprise.trace.file.PrivateFiles;

/** A directory for programs, runs and outputs that is gone afterwards, interrupted or not. */
final class Workshop implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final int REMOVE_TRIES_MAX = 50;
  private static final long REMOVE_PAUSE_NANOS = 20_000_000;

  private final Path root;
  private final Path directory;
  private final AtomicInteger names = new AtomicInteger();
  private final Thread ending;

  /**
   * @param root of the project
   */
  Workshop(Path root) {
    this.root = root;
    try {
      directory =
          PrivateFiles.createTemporaryDirectory(
              Path.of(System.getProperty("java.io.tmpdir")), "reprise-bench-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ending =
        new Thread(
            () -> {
              ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
              removeWhileUsed(directory);
            });
    Runtime.getRuntime().addShutdownHook(ending);
  }

  /** The root of the project. */
  Path root() {
    return root;
  }

  /** A path in here that nothing has. */
  Path fresh(String name) {
    return directory.resolve(name + "-" + names.incrementAndGet());
  }

  /** An empty directory in here. */
  Path freshDirectory(String name) {
    try {
      return PrivateFiles.createDirectory(fresh(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A program of this MPI; compiled by {@link #build}. */
  Path program(Mpi mpi, String name) {
    return directory.resolve(mpi.name()).resolve(name);
  }

  /** Compiles examples, named as they are in their Makefile, and all programs of bench/c. */
  void build(Mpi mpi, List<String> examples) {
    Path out = directory.resolve(mpi.name());
    List<String> make = new ArrayList<>(List.of("make", "-s", "-C", root + "/examples"));
    make.addAll(List.of("MPICC=" + mpi.mpicc(), "OUT=" + out));
    examples.forEach(example -> make.add(out.resolve(example).toString()));
    run(make);
    for (String name : List.of("clock_loop", "hello", "named_receives")) {
      Path source = root.resolve("bench/c/" + name + ".c");
      run(
          List.of(
              mpi.mpicc(),
              "-O2",
              "-std=c11",
              "-D_GNU_SOURCE",
              "-o",
              out.resolve(name).toString(),
              source.toString()));
    }
  }

  private void run(List<String> words) {
    Command.run(words, Map.of(), PATIENCE, this).outOrThrow(words);
  }

  /** Others may still write and remove here; they have just been ended, so it takes a few tries. */
  private static void removeWhileUsed(Path tree) {
    for (int tries = 0; Files.exists(tree) && tries < REMOVE_TRIES_MAX; tries++) {
      try {
        PrivateFiles.removeTree(tree);
      } catch (IOException e) {
        LockSupport.parkNanos(REMOVE_PAUSE_NANOS);
      }
    }
  }

  static void remove(Path tree) {
    try {
      PrivateFiles.removeTree(tree);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(ending);
    remove(directory);
  }
}
