package org.reprise.trace.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a run takes on the disk. */
public final class RunDisk {
  /** The sizes of all its files; those that vanish meanwhile count nothing. */
  public static long bytes(RunDirectory run) {
    try (Stream<Path> files = Files.walk(run.path())) {
      return files.mapToLong(RunDisk::size).sum();
    } catch (IOException | java.io.UncheckedIOException e) {
      return 0;
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  private RunDisk() {}
}
