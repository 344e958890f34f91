// expect: anomaly random WRITE-WRITE
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Which part of a source of random numbers an element gets is schedule-dependent. */
final class SplitRandom {

  public static void main(String[] arguments) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    int[] drawn = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> drawn[i] = random.split().nextInt());
  }
}
