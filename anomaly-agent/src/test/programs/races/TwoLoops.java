// expect: anomaly TwoLoops.cells[*] WRITE-WRITE
// expect: says loop at TwoLoops.java:14
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** One body for two loops, of which the second has a conflict. */
final class TwoLoops {
  private static final int[] cells = new int[100];
  private static int width = 1;

  private static void both(IntConsumer body) {
    IntStream.range(0, 100).parallel().forEach(body);
    width = 2;
    IntStream.range(0, 100).parallel().forEach(body);
  }

  public static void main(String[] arguments) throws Exception {
    both(i -> cells[i / width] = i);
  }
}
