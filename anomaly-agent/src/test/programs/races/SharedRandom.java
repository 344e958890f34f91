// expect: lock-ordered random
// expect: not validated
import java.util.Random;
import java.util.stream.IntStream;

/** Which number an iteration draws is schedule-dependent. */
final class SharedRandom {

  public static void main(String[] arguments) throws Exception {
    Random random = new Random(1);
    double[] drawn = new double[10];
    IntStream.range(0, 10).parallel().forEach(i -> drawn[i] = random.nextDouble());
  }
}
