// expect: validated
import java.util.stream.IntStream;

/** Elements of a boolean array do not. */
final class Bits {

  public static void main(String[] arguments) throws Exception {
    boolean[] bits = new boolean[64];
    IntStream.range(0, 64).parallel().forEach(i -> bits[i] = true);
  }
}
