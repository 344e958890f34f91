// expect: validated
import java.util.stream.IntStream;

/** Inner streams belong to the element they come from. */
final class FlatMapped {

  public static void main(String[] arguments) throws Exception {
    int[] sums = new int[64];
    IntStream.range(0, 8).parallel().flatMap(i -> IntStream.range(8 * i, 8 * i + 8)).forEach(j -> sums[j]++);
  }
}
