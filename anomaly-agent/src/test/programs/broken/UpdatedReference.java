// expect: anomaly UpdatedReference.Total.value WRITE-READ
// expect: lock-ordered UpdatedReference.TOTAL
// expect: lock-ordered UpdatedReference.Total.value
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** What was set is changed. */
final class UpdatedReference {
  private static final AtomicReference<Total> TOTAL = new AtomicReference<>(new Total(0));

  private static final class Total {
    private int value;

    Total(int value) {
      this.value = value;
    }
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> TOTAL.updateAndGet(total -> new Total(total.value + i)).value++);
    System.out.println(TOTAL.get().value);
  }
}
