// expect: lock-ordered CountedUpdates.TOTAL
// expect: lock-ordered CountedUpdates.Total.value
// expect: not validated
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** The function may run in two threads at once, and counts by what takes that. */
final class CountedUpdates {
  private static final AtomicReference<Total> TOTAL = new AtomicReference<>(new Total(0));
  private static final LongAdder CALLS = new LongAdder();

  private static final class Total {
    private int value;

    Total(int value) {
      this.value = value;
    }
  }

  private static Total plus(Total total, int value) {
    CALLS.increment();
    return new Total(total.value + value);
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> TOTAL.updateAndGet(total -> plus(total, i)).getClass());
    System.out.println(TOTAL.get().value + CALLS.sum());
  }
}
