// expect: anomaly file[*] WRITE-READ
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One thread asks for the length of a file, and another writes it. */
final class AskedFile {
  private static void write(File file) {
    try (FileOutputStream out = new FileOutputStream(file)) {
      out.write(65);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("asked");
    File file = new File(folder.toFile(), "one");
    long[] length = new long[1];
    Thread writer = new Thread(() -> write(file));
    Thread reader = new Thread(() -> length[0] = file.length());
    writer.start();
    reader.start();
    writer.join();
    reader.join();
    System.out.println(length[0] < 2);
    Files.delete(file.toPath());
    Files.delete(folder);
  }
}
