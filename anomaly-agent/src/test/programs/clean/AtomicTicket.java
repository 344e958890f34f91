// expect: validated
import java.util.stream.IntStream;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

final class AtomicTicket {

  public static void main(String[] arguments) throws Exception {
    AtomicInteger hits = new AtomicInteger();
    LongAdder sum = new LongAdder();
    IntStream.range(0, 100).parallel().forEach(i -> {
      hits.incrementAndGet();
      sum.add(i);
    });
    System.out.println(hits.get() + sum.sum());
  }
}
