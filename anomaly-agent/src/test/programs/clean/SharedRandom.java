// expect: validated
import java.util.Random;
import java.util.stream.IntStream;

/** A source with a seed for each iteration. */
final class SharedRandom {

  public static void main(String[] arguments) throws Exception {
    double[] drawn = new double[10];
    IntStream.range(0, 10).parallel().forEach(i -> drawn[i] = new Random(i).nextDouble());
  }
}
