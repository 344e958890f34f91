// expect: anomaly file[*] WRITE-WRITE
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The first thread opens what two others write to, by way of streams around streams. */
final class FilesOpenedBefore {
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("opened");
    Path one = folder.resolve("one");
    Path other = folder.resolve("one");
    PrintStream toOne =
        new PrintStream(new BufferedOutputStream(new FileOutputStream(one.toFile(), true)));
    PrintStream toOther = new PrintStream(Files.newOutputStream(other));
    Thread first = new Thread(() -> toOne.println(1));
    Thread second = new Thread(() -> toOther.println(2));
    first.start();
    second.start();
    first.join();
    second.join();
    toOne.close();
    toOther.close();
    Files.delete(one);
    Files.deleteIfExists(other);
    Files.delete(folder);
  }
}
