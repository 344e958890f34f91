package org.reprise.launch.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an execution printed to its standard output.
 *
 * @param parts in the order of their names
 */
public record RunOutput(List<Part> parts) {
  private static final String OF_RANK = "rank-";
  private static final String OUT = ".out";

  /**
   * What one stream got.
   *
   * @param name of the file that it is in, or would be in
   * @param ofOneRank whether it is a single rank's: otherwise its lines come as it happens
   */
  public record Part(String name, boolean ofOneRank, String text) {}

  public RunOutput {
    parts = parts.stream().sorted(Comparator.comparing(Part::name)).toList();
  }

  /** What a rank printed that has a stream of its own. */
  public static Part ofRank(int rank, String text) {
    return new Part(OF_RANK + rank + OUT, true, text);
  }

  /** Reads what the files of a directory hold: see {@link RunConditions#output}. */
  public static RunOutput read(Path directory) {
    List<Part> parts = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (("." + name).endsWith(OUT)) {
          String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
          parts.add(new Part(name, name.startsWith(OF_RANK), text));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new RunOutput(parts);
  }
}
