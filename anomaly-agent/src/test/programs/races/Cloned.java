// expect: anomaly weights[*] WRITE-READ
import java.util.stream.IntStream;

/** Iterations clone the array and write it. */
final class Cloned {

  public static void main(String[] arguments) throws Exception {
    double[] weights = new double[10];
    IntStream.range(0, 10).parallel().forEach(i -> {
      double[] mine = weights.clone();
      mine[i] += 1;
      weights[i] = mine[i];
    });
  }
}
