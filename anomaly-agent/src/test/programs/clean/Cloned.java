// expect: validated
import java.util.stream.IntStream;

/** Iterations write their clone. */
final class Cloned {

  public static void main(String[] arguments) throws Exception {
    double[] weights = new double[10];
    double[] results = new double[10];
    IntStream.range(0, 10).parallel().forEach(i -> {
      double[] mine = weights.clone();
      mine[i] += 1;
      results[i] = mine[i];
    });
  }
}
