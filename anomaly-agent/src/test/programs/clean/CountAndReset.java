// expect: validated
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Counts commute. */
final class CountAndReset {
  private static final AtomicInteger COUNT = new AtomicInteger();

  public static void main(String[] arguments) {
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          COUNT.incrementAndGet();
          if (i == 20) {
            COUNT.addAndGet(-5);
          }
        });
    System.out.println(COUNT.get());
  }
}
