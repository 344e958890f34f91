// expect: not validated ProcessBuilder.start()
import java.io.IOException;
import java.util.stream.IntStream;

/** What another program does is not seen. */
final class StartedProgram {
  private static int run() {
    try {
      Process process = new ProcessBuilder("true").start();
      return process.waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] arguments) throws Exception {
    int before = 0;
    System.out.println(before + IntStream.range(0, 2).parallel().map(i -> run()).sum());
  }
}
