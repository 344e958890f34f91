package org.reprise.debugger.restore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What checkpoints cost: the pages that are theirs alone, as the rank has changed its own since.
 */
final class CheckpointMemory {
  private static final long KIB = 1024;

  /** Bytes of a process that no other has. */
  static long own(long process) {
    return field(Path.of("/proc", Long.toString(process), "smaps_rollup"), "Private_Dirty:")
        .orElse(0L);
  }

  /** A quarter of what is free. */
  static long standard() {
    return field(Path.of("/proc/meminfo"), "MemAvailable:").orElse(1L << 32) / 4;
  }

  private static Optional<Long> field(Path file, String name) {
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(name)) {
          return Optional.of(Long.parseLong(line.replaceAll("\\D", "")) * KIB);
        }
      }
    } catch (IOException e) {
      // The process has ended.
    }
    return Optional.empty();
  }

  private CheckpointMemory() {}
}
