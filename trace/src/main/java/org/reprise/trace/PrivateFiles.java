package org.reprise.trace;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * Files and directories that only their owner may read: a run holds a program's input, environment
 * and clock, which are nobody else's business.
 */
public final class PrivateFiles {
  private static final FileAttribute<?> OWNER_ONLY_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<?> OWNER_ONLY_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** Creates an empty file, in place of one that may be there. */
  public static Path createFile(Path file) throws IOException {
    Files.deleteIfExists(file);
    return Files.createFile(file, OWNER_ONLY_FILE);
  }

  /** Creates one directory, which must not exist. */
  public static Path createDirectory(Path directory) throws IOException {
    return Files.createDirectory(directory, OWNER_ONLY_DIRECTORY);
  }

  /** Creates a directory and its parents where they do not exist. */
  public static Path createDirectories(Path directory) throws IOException {
    return Files.createDirectories(directory, OWNER_ONLY_DIRECTORY);
  }

  /** Creates a directory of a fresh name in {@code parent}. */
  public static Path createTemporaryDirectory(Path parent, String prefix) throws IOException {
    return Files.createTempDirectory(parent, prefix, OWNER_ONLY_DIRECTORY);
  }

  /** Removes a directory and everything in it, following no link. */
  public static void removeTree(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private PrivateFiles() {}
}
