// expect: validated
import java.util.stream.IntStream;

/** Each iteration has an element. */
final class HalvedIndex {
  public static void main(String[] arguments) {
    int[] results = new int[40];
    IntStream.range(0, 40).parallel().forEach(i -> results[i / 1] += i);
    System.out.println(results[19]);
  }
}
