// expect: validated
// expect: commuting NarrowedSum.sum
import java.util.stream.IntStream;

/** Integers may be added in any order. */
final class NarrowedSum {
  private static int sum;

  private static synchronized void add(int value) {
    sum += value;
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 40).parallel().forEach(NarrowedSum::add);
    System.out.println(sum);
  }
}
