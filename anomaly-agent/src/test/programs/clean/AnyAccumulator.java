// expect: validated
import java.util.concurrent.atomic.LongAccumulator;
import java.util.stream.IntStream;

/** A maximum is the same in every order. */
final class AnyAccumulator {

  public static void main(String[] arguments) throws Exception {
    LongAccumulator largest = new LongAccumulator(Long::max, 0);
    IntStream.range(0, 20).parallel().forEach(largest::accumulate);
    System.out.println(largest.get());
  }
}
