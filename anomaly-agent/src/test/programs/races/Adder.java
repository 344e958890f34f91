// expect: lock-ordered hits
// expect: not validated
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** A counter that is read while others count. */
final class Adder {

  public static void main(String[] arguments) throws Exception {
    LongAdder hits = new LongAdder();
    long[] seen = new long[20];
    IntStream.range(0, 20).parallel().forEach(i -> {
      hits.increment();
      seen[i] = hits.sum();
    });
  }
}
