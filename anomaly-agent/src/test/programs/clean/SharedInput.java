// expect: validated
import java.io.ByteArrayInputStream;
import java.util.stream.IntStream;

/** Each has a stream of its own. */
final class SharedInput {

  public static void main(String[] arguments) throws Exception {
    byte[] bytes = new byte[20];
    int[] read = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> read[i] = new ByteArrayInputStream(bytes).read());
  }
}
