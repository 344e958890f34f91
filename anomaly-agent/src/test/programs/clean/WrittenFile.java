// expect: validated
import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two threads write files. */
final class WrittenFile {
  private static void write(String file, int number) {
    try (PrintWriter out = new PrintWriter(new FileWriter(file, true))) {
      out.println(number);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("written");
    String one = folder + "/one";
    String other = folder + "/other";
    Thread first = new Thread(() -> write(one, 1));
    Thread second = new Thread(() -> write(other, 2));
    first.start();
    second.start();
    first.join();
    second.join();
    Files.delete(Path.of(one));
    Files.deleteIfExists(Path.of(other));
    Files.delete(folder);
  }
}
