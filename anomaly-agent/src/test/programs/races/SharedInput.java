// expect: lock-ordered input
import java.io.ByteArrayInputStream;
import java.util.stream.IntStream;

/** Who comes first reads the first byte. */
final class SharedInput {

  public static void main(String[] arguments) throws Exception {
    ByteArrayInputStream input = new ByteArrayInputStream(new byte[20]);
    int[] read = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> read[i] = input.read());
  }
}
