// expect: validated
import java.util.stream.IntStream;

/** Each element becomes the mean of itself and the next, in another array. */
final class NextElement {
  public static void main(String[] arguments) {
    double[] x = IntStream.range(0, 5001).asDoubleStream().toArray();
    double[] y = new double[5000];
    for (int step = 0; step < 5; step++) {
      IntStream.range(0, 5000).parallel().forEach(i -> {
        y[i] = 0.5 * (x[i] + x[i + 1]);
      });
    }
    System.out.println(x.length + y.length);
  }
}
