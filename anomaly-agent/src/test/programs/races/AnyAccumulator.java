// expect: not validated new LongAccumulator(), which accumulates by a function that is not known to commute
import java.util.concurrent.atomic.LongAccumulator;
import java.util.stream.IntStream;

/** The order of the updates shows in the result. */
final class AnyAccumulator {

  public static void main(String[] arguments) throws Exception {
    LongAccumulator mixed = new LongAccumulator((p, q) -> 2 * p + q, 0);
    IntStream.range(0, 20).parallel().forEach(mixed::accumulate);
    System.out.println(mixed.get());
  }
}
