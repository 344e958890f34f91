package org.reprise.trace.file;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
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

  private static final int WRITABLE_BY_OTHERS = 0022;

  private static volatile long effectiveUser = -1;

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

  /**
   * Creates a directory, or empties it: to remove one and make it anew takes a disk many times
   * longer than to look into it.
   */
  public static Path createEmptied(Path directory) throws IOException {
    createDirectories(directory);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        removeTree(entry);
      }
    }
    return directory;
  }

  /** Creates a directory of a fresh name in {@code parent}. */
  public static Path createTemporaryDirectory(Path parent, String prefix) throws IOException {
    return Files.createTempDirectory(parent, prefix, OWNER_ONLY_DIRECTORY);
  }

  /**
   * Why somebody else may have put something into a file or directory; empty if nobody can. A link
   * is looked at itself, not what it leads to.
   */
  public static Optional<String> writableByOthers(Path file) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(file, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    if (((Number) attributes.getOrDefault("uid", -1)).longValue() != effectiveUser()) {
      return Optional.of(file + " belongs to another user");
    }
    // The mode of a link means nothing: all may do everything.
    boolean writable =
        !Files.isSymbolicLink(file)
            && (((Number) attributes.getOrDefault("mode", 0)).intValue() & WRITABLE_BY_OTHERS) != 0;
    return writable ? Optional.of("other users may write to " + file) : Optional.empty();
  }

  /** Asked once: it stays the same, and the question costs more than all others of a small run. */
  private static long effectiveUser() throws IOException {
    if (effectiveUser < 0) {
      effectiveUser = readEffectiveUser();
    }
    return effectiveUser;
  }

  private static long readEffectiveUser() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("Uid:")) {
        return Long.parseLong(line.split("\\s+", -1)[2]);
      }
    }
    throw new IOException("the kernel does not say which user runs this process");
  }

  /** Removes a file if it is there and that is possible. */
  public static void removeQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      // It was not wanted; nothing depends on it.
    }
  }

  /**
   * What the system says is wrong, without the name of the file where it is known apart from it.
   */
  public static String reason(IOException failure) {
    return failure instanceof FileSystemException named && named.getReason() != null
        ? named.getReason()
        : String.valueOf(failure.getMessage());
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
