// expect: lock-ordered ticket
// expect: not validated
import java.util.stream.IntStream;
import java.util.concurrent.atomic.AtomicInteger;

final class AtomicTicket {

  public static void main(String[] arguments) throws Exception {
    AtomicInteger ticket = new AtomicInteger();
    int[] order = new int[100];
    IntStream.range(0, 100).parallel().forEach(i -> order[i] = ticket.incrementAndGet());
  }
}
