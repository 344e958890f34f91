package org.reprise.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.reprise.trace.PrivateFiles;
import org.reprise.trace.RecordedRun;
import org.reprise.trace.RunDirectory;
import org.reprise.trace.UserError;

/** Where the ranks of a replay write, until it has been judged. */
final class ReplayScratch implements AutoCloseable {
  /** More than the files of one rank in a replay take. */
  private static final long RANK_BYTES = 256 << 10;

  private final RunDirectory directory;

  private ReplayScratch(RunDirectory directory) {
    this.directory = directory;
  }

  /**
   * Ranks on other machines must reach it too, so it lies in the run where that can be: not where
   * runs are read-only, and not on the disk that the recording has filled.
   */
  static ReplayScratch of(RecordedRun recorded, Surroundings surroundings) {
    try {
      return new ReplayScratch(new RunDirectory(create(recorded, surroundings)));
    } catch (IOException e) {
      throw noPlace(e);
    }
  }

  private static Path create(RecordedRun recorded, Surroundings surroundings) throws IOException {
    Path run = recorded.directory().path();
    boolean room =
        Files.getFileStore(run).getUsableSpace() / Math.max(1, recorded.ranks()) >= RANK_BYTES;
    if (Files.isWritable(run) && room) {
      return PrivateFiles.createTemporaryDirectory(run, "replay-");
    }
    String temporary = surroundings.variable("TMPDIR");
    return PrivateFiles.createTemporaryDirectory(
        Path.of(temporary.isEmpty() ? "/tmp" : temporary), "reprise-replay-");
  }

  private static UserError noPlace(IOException reason) {
    return new UserError(
        "the replay has no place for its own files",
        String.valueOf(reason.getMessage()),
        "make room, or set TMPDIR to a directory you may write to");
  }

  RunDirectory directory() {
    return directory;
  }

  @Override
  public void close() {
    try {
      PrivateFiles.removeTree(directory.path());
    } catch (IOException e) {
      throw noPlace(e);
    }
  }
}
