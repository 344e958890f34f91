// expect: validated
// expect: commuting largest
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

final class AtomicMax {

  public static void main(String[] arguments) throws Exception {
    AtomicInteger largest = new AtomicInteger();
    IntStream.range(0, 20).parallel().forEach(i -> largest.accumulateAndGet(i, Math::max));
    System.out.println(largest.get());
  }
}
