// expect: lock-ordered largest
// expect: not validated
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Every result of the update is used: who comes first matters. */
final class AtomicMax {

  public static void main(String[] arguments) throws Exception {
    AtomicInteger largest = new AtomicInteger();
    int[] seen = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> seen[i] = largest.accumulateAndGet(i, Math::max));
  }
}
