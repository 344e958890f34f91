// expect: lock-ordered file
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two threads read a file, each a number. */
final class SharedPosition {
  private static int read(RandomAccessFile file) {
    try {
      return file.readInt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path path = Files.createTempFile("position", "");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        RandomAccessFile again = new RandomAccessFile(path.toFile(), "r")) {
      file.writeInt(1);
      file.writeInt(2);
      file.seek(0);
      RandomAccessFile other = file;
      int[] numbers = new int[2];
      Thread first = new Thread(() -> numbers[0] = read(file));
      Thread second = new Thread(() -> numbers[1] = read(other));
      first.start();
      second.start();
      first.join();
      second.join();
      System.out.println(numbers[0] + numbers[1] > 0);
    }
    Files.delete(path);
  }
}
