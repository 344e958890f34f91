// expect: anomaly CountedUpdates.calls WRITE-READ
// expect: anomaly CountedUpdates.calls WRITE-WRITE
// expect: lock-ordered CountedUpdates.TOTAL
// expect: lock-ordered CountedUpdates.Total.value
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** The function may run in two threads at once, and counts. */
final class CountedUpdates {
  private static final AtomicReference<Total> TOTAL = new AtomicReference<>(new Total(0));
  private static int calls;

  private static final class Total {
    private int value;

    Total(int value) {
      this.value = value;
    }
  }

  private static Total plus(Total total, int value) {
    calls++;
    return new Total(total.value + value);
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> TOTAL.updateAndGet(total -> plus(total, i)).getClass());
    System.out.println(TOTAL.get().value + calls);
  }
}
