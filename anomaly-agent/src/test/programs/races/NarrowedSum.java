// expect: lock-ordered NarrowedSum.sum
// expect: not validated
import java.util.stream.IntStream;

/** The sum is cut to an integer each time, so the order counts. */
final class NarrowedSum {
  private static int sum;

  private static synchronized void add(int value) {
    sum += 1.5 * value;
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 40).parallel().forEach(NarrowedSum::add);
    System.out.println(sum);
  }
}
