// expect: validated
// expect: commuting hits
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Additions commute, and nobody looks in between. */
final class Adder {

  public static void main(String[] arguments) throws Exception {
    LongAdder hits = new LongAdder();
    IntStream.range(0, 20).parallel().forEach(i -> hits.add(i));
    System.out.println(hits.sum());
  }
}
