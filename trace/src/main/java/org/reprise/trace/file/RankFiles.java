package org.reprise.trace.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Where the ranks of a job on the embedded engine write their files. */
public sealed interface RankFiles {
  /** Makes a file, of which there is none of this name yet. */
  LiveRankFile create(String name, RankHeader header) throws IOException;

  /** In a directory, where what was written outlives the process that wrote it. */
  record InDirectory(Path directory) implements RankFiles {
    @Override
    public LiveRankFile create(String name, RankHeader header) throws IOException {
      return LiveRankFile.create(directory.resolve(name), header);
    }

    @Override
    public String toString() {
      return directory.toString();
    }
  }

  /**
   * In memory, until somebody wants files: those of a search, which looks at each of its executions
   * once. To make and remove files takes many times longer than a small program does.
   */
  final class InMemory implements RankFiles {
    private final Map<String, LiveRankFile> files = new ConcurrentHashMap<>();

    @Override
    public LiveRankFile create(String name, RankHeader header) throws IOException {
      LiveRankFile file = LiveRankFile.inMemory(header);
      if (files.putIfAbsent(name, file) != null) {
        throw new IOException(name + " is there already");
      }
      return file;
    }

    /** Whether a file was made. */
    public boolean has(String name) {
      return files.containsKey(name);
    }

    /** What a file has, if it was made; for when nobody writes it any more. */
    public Optional<byte[]> contents(String name) {
      return Optional.ofNullable(files.get(name)).map(LiveRankFile::contents);
    }

    /** Writes all of them into a directory. */
    public void writeInto(Path directory) throws IOException {
      for (Map.Entry<String, LiveRankFile> each : files.entrySet()) {
        Path file = PrivateFiles.createFile(directory.resolve(each.getKey()));
        Files.write(file, each.getValue().contents());
      }
    }

    @Override
    public String toString() {
      return "memory";
    }
  }
}
