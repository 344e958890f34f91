// expect: lock-ordered CountAndReset.COUNT
// expect: not validated
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Setting does not commute with counting. */
final class CountAndReset {
  private static final AtomicInteger COUNT = new AtomicInteger();

  public static void main(String[] arguments) {
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          COUNT.incrementAndGet();
          if (i == 20) {
            COUNT.set(0);
          }
        });
    System.out.println(COUNT.get());
  }
}
