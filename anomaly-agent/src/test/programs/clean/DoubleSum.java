// expect: validated
import java.util.stream.IntStream;

/** The terms in parallel, the sum in order. */
final class DoubleSum {

  public static void main(String[] arguments) throws Exception {
    double[] terms = IntStream.range(1, 1000).parallel().mapToDouble(i -> 1.0 / i).toArray();
    double sum = 0;
    for (double term : terms) {
      sum += term;
    }
    System.out.println(sum);
  }
}
