package org.reprise.launch.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.reprise.trace.UserError;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.run.RecordedRun;

/**
 * A private directory for what is needed while something is done, removed when it is closed. A
 * process that is killed removes nothing, so whoever makes the next one in the same place removes
 * what it left. The kernel knows who is dead: the owner of a directory holds a lock on a file in
 * it.
 */
public final class Scratch implements AutoCloseable {
  private static final String LOCK = "lock";

  /** What a rank of a replay writes at least. */
  private static final long RANK_BYTES = 256 << 10;

  /** One without a lock file is just being made, or on a file system without locks. */
  private static final Duration KEPT_WITHOUT_LOCK = Duration.ofDays(1);

  /** Those of this process: to open and close their lock files would give the locks up. */
  private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final Optional<FileChannel> lock;

  private Scratch(Path path, Optional<FileChannel> lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Creates a directory in {@code parent} whose name begins with {@code prefix}. */
  public static Scratch create(Path parent, String prefix) throws IOException {
    Path place = parent.toAbsolutePath().normalize();
    removeStale(place, prefix);
    while (true) {
      Path path = PrivateFiles.createTemporaryDirectory(place, prefix);
      OURS.add(path);
      Scratch scratch = new Scratch(path, lock(path.resolve(LOCK)));
      if (scratch.lock.isEmpty() || Files.exists(path.resolve(LOCK))) {
        return scratch;
      }
      // Somebody found the file before it was locked, and took its owner for dead.
      scratch.close();
    }
  }

  /**
   * The directory of a replay. Ranks on other machines must reach it too, so it lies in the run
   * where that can be: not where runs are read-only, and not on the disk that the recording has
   * filled.
   */
  public static Scratch ofReplay(RecordedRun recorded, Surroundings surroundings)
      throws IOException {
    Path run = recorded.directory().path();
    boolean room =
        Files.getFileStore(run).getUsableSpace() / Math.max(1, recorded.ranks()) >= RANK_BYTES;
    if (Files.isWritable(run) && room) {
      return create(run, "replay-");
    }
    String temporary = surroundings.variable("TMPDIR");
    return create(Path.of(temporary.isEmpty() ? "/tmp" : temporary), "reprise-replay-");
  }

  /** Nothing can be made or removed there. */
  public static UserError noPlace(IOException reason) {
    return new UserError(
        "the replay has no place for its own files",
        String.valueOf(reason.getMessage()),
        "make room, or set TMPDIR to a directory you may write to");
  }

  public Path path() {
    return path;
  }

  private static Optional<FileChannel> lock(Path file) {
    try {
      FileChannel channel =
          FileChannel.open(PrivateFiles.createFile(file), StandardOpenOption.WRITE);
      try {
        channel.lock();
        return Optional.of(channel);
      } catch (IOException noLocks) {
        channel.close();
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // It is judged by its age then.
    }
    return Optional.empty();
  }

  /** Nobody waits for this, and another may be at it, too. */
  private static void removeStale(Path parent, String prefix) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, prefix + "*")) {
      for (Path path : found) {
        if (!OURS.contains(path)
            && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
            && PrivateFiles.writableByOthers(path).isEmpty()) {
          removeIfStale(path);
        }
      }
    } catch (IOException e) {
      // It stays.
    }
  }

  private static void removeIfStale(Path path) throws IOException {
    try (FileChannel channel =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.tryLock() != null) {
        PrivateFiles.removeTree(path);
      }
    } catch (NoSuchFileException e) {
      Instant changed = Files.getLastModifiedTime(path).toInstant();
      if (changed.isBefore(Instant.now().minus(KEPT_WITHOUT_LOCK))) {
        PrivateFiles.removeTree(path);
      }
    } catch (OverlappingFileLockException e) {
      // Of this process, and just being made.
    }
  }

  /** Removes the directory and all that is in it. */
  @Override
  public void close() throws IOException {
    try {
      PrivateFiles.removeTree(path);
    } finally {
      OURS.remove(path);
      if (lock.isPresent()) {
        lock.get().close();
      }
    }
  }
}
