// expect: anomaly file[*] WRITE-WRITE
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.IntStream;

/** In which order lines come into a file is schedule-dependent. */
final class FileLines {

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("lines");
    IntStream.range(0, 4).parallel().forEach(i -> {
      Path file = folder.resolve("lines0");
      try {
        Files.createDirectories(folder);
        Files.writeString(file, "line\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    for (int i = 0; i < 4; i++) {
      Files.deleteIfExists(folder.resolve("lines" + i));
    }
    Files.delete(folder);
  }
}
