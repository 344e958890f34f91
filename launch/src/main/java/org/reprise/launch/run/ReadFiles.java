package org.reprise.launch.run;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.reprise.trace.file.PrivateFiles;
import org.reprise.trace.file.RunFile;
import org.reprise.trace.run.RunDescription;
import org.reprise.trace.run.RunDirectory;

/**
 * The files that the program read when it was recorded and that were there before: a replay reads
 * them again. The ranks note what they open, with its size and time; what is still the same when
 * the run is over is hashed then, so that the program itself waits for nothing. The list is a line
 * for each: hash, size, time, path.
 */
public final class ReadFiles {
  /**
   * More is not hashed at the end of a recording: by size and time it is told from another, too.
   */
  private static final long HASHED_BYTES_MAX = 1L << 30;

  private static final long LIST_BYTES_MAX = 16 << 20;
  private static final int SAID_MAX = 5;
  private static final String NOT_HASHED = "-";

  /** What the run itself has changed: what it had read is nowhere. */
  private static final String CHANGED = "changed";

  /** A file as it was when it was opened first. */
  private record Noted(long size, long nanos) {
    static Optional<Noted> of(Path file) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return now.isRegularFile()
            ? Optional.of(new Noted(now.size(), now.lastModifiedTime().to(TimeUnit.NANOSECONDS)))
            : Optional.empty();
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    boolean isOlderThan(Instant begun) {
      return FileTime.from(nanos, TimeUnit.NANOSECONDS).toInstant().isBefore(begun);
    }
  }

  private ReadFiles() {}

  /** Makes the list of a run that is over, from what its ranks have noted. */
  public static void keep(RunDirectory run, RunDescription description) throws IOException {
    SortedMap<String, Noted> noted = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(run.path(), "rank-*.reads")) {
      for (Path file : files) {
        read(file, 2).forEach(line -> note(line, noted));
        Files.delete(file);
      }
    }
    noted.values().removeIf(one -> !one.isOlderThan(description.started()));
    if (noted.isEmpty()) {
      return;
    }
    StringBuilder list = new StringBuilder();
    long left = HASHED_BYTES_MAX;
    for (var entry : noted.entrySet()) {
      Noted then = entry.getValue();
      Path file = Path.of(entry.getKey());
      String hash = CHANGED;
      if (Noted.of(file).filter(then::equals).isPresent()) {
        left -= then.size;
        hash = left < 0 ? NOT_HASHED : hash(file);
      }
      list.append("%s %d %d %s\n".formatted(hash, then.size, then.nanos, entry.getKey()));
    }
    PrivateFiles.createFile(run.readFilesFile());
    Files.writeString(run.readFilesFile(), list);
  }

  private static String hash(Path file) {
    return ProgramFile.describe(file).map(RunDescription.Program::sha256).orElse(NOT_HASHED);
  }

  private static void note(List<String> line, SortedMap<String, Noted> noted) {
    try {
      Noted one = new Noted(Long.parseLong(line.get(0)), Long.parseLong(line.get(1)));
      // Of several ranks whoever opened it first saw it as it was.
      noted.merge(
          line.get(2), one, (before, other) -> before.nanos <= other.nanos ? before : other);
    } catch (NumberFormatException e) {
      // Cut off when the rank was killed.
    }
  }

  /** Which of them are other now, in sentences; damaged lines say nothing. */
  static List<String> changes(RunDirectory run) {
    List<String> said = new ArrayList<>();
    int more = 0;
    try {
      for (List<String> line : read(run.readFilesFile(), 3)) {
        Optional<String> sentence = change(line);
        if (sentence.isPresent() && said.size() == SAID_MAX) {
          more++;
        } else {
          sentence.ifPresent(said::add);
        }
      }
    } catch (IOException e) {
      said.add("which files the program read is not known: " + PrivateFiles.reason(e));
    }
    if (more > 0) {
      said.add("... and %d other files".formatted(more));
    }
    return said;
  }

  private static Optional<String> change(List<String> line) {
    Path file;
    Noted then;
    try {
      then = new Noted(Long.parseLong(line.get(1)), Long.parseLong(line.get(2)));
      file = Path.of(line.get(3));
    } catch (IllegalArgumentException e) {
      return Optional.of("the list of the files that the program read is damaged");
    }
    Optional<Noted> now = Noted.of(file);
    if (now.isEmpty()) {
      return Optional.of("a file that the program read is gone: " + file);
    }
    if (line.get(0).equals(CHANGED)) {
      return Optional.of("a file that the program read was changed by the run itself: " + file);
    }
    boolean same =
        now.get().equals(then)
            || now.get().size == then.size
                && !line.get(0).equals(NOT_HASHED)
                && hash(file).equals(line.get(0));
    return same
        ? Optional.empty()
        : Optional.of("a file that the program read has changed since it was recorded: " + file);
  }

  /** Lines of so many words and a path. */
  private static List<List<String>> read(Path file, int words) throws IOException {
    if (!RunFile.isThere(file)) {
      return List.of();
    }
    if (RunFile.size(file) > LIST_BYTES_MAX) {
      throw new IOException(file + " has more than " + LIST_BYTES_MAX + " bytes");
    }
    try (InputStream in = RunFile.stream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> List.of(line.split(" ", words + 1)))
          .filter(parts -> parts.size() == words + 1)
          .toList();
    }
  }
}
