package org.reprise.viewer.answer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.reprise.trace.Location;

/**
 * The lines around a place in the source, where the file can be read. A trace is untrusted: what it
 * names must be a plain text file of moderate size, and only lines around the place are shown.
 *
 * @param first the number of the first line
 */
public record SourceExcerpt(Path file, int first, int line, List<String> lines) {
  private static final int AROUND = 5;
  private static final long BYTES_MAX = 4 << 20;
  private static final int COLUMNS_MAX = 300;

  public SourceExcerpt {
    lines = List.copyOf(lines);
  }

  public static Optional<SourceExcerpt> of(Location place, List<Path> roots) {
    if (place.file().isEmpty() || place.line().isEmpty()) {
      return Optional.empty();
    }
    return roots.stream()
        .flatMap(root -> in(root, place.file().get(), place.line().getAsInt()).stream())
        .findFirst();
  }

  private static Optional<SourceExcerpt> in(Path root, String file, int line) {
    try {
      Path named = root.resolve(file).normalize();
      if (!Files.isRegularFile(named) || Files.size(named) > BYTES_MAX) {
        return Optional.empty();
      }
      List<String> all = Files.readAllLines(named, StandardCharsets.UTF_8);
      if (line < 1 || line > all.size()) {
        return Optional.empty();
      }
      int first = Math.max(1, line - AROUND);
      int last = Math.min(all.size(), line + AROUND);
      return Optional.of(
          new SourceExcerpt(
              named,
              first,
              line,
              all.subList(first - 1, last).stream()
                  .map(text -> text.substring(0, Math.min(COLUMNS_MAX, text.length())))
                  .toList()));
    } catch (IOException | InvalidPathException unreadable) {
      return Optional.empty(); // not there, not text, or no name of a file
    }
  }
}
