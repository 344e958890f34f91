// expect: anomaly file[*] WRITE-READ
import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** A thread lists a folder in which another makes a file. */
final class ListedFolder {
  private static void make(File file) {
    try (FileWriter out = new FileWriter(file)) {
      out.write("text");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("listed");
    File names = folder.resolve("names").toFile();
    File others = folder.resolve("others").toFile();
    names.mkdir();
    others.mkdir();
    File file = new File(names, "one");
    int[] number = new int[1];
    Thread maker = new Thread(() -> make(file));
    Thread reader = new Thread(() -> number[0] = Objects.requireNonNull(names.list()).length);
    maker.start();
    reader.start();
    maker.join();
    reader.join();
    System.out.println(number[0] < 2);
    Files.delete(file.toPath());
    Files.delete(names.toPath());
    Files.delete(others.toPath());
    Files.delete(folder);
  }
}
