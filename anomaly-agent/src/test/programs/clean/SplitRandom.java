// expect: validated
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A source of random numbers for each element, split off beforehand. */
final class SplitRandom {

  public static void main(String[] arguments) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    SplittableRandom[] parts = new SplittableRandom[20];
    for (int i = 0; i < 20; i++) {
      parts[i] = random.split();
    }
    int[] drawn = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> drawn[i] = parts[i].nextInt());
  }
}
