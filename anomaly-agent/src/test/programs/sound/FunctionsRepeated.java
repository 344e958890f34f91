// expect: lock-ordered FunctionsRepeated.SUM
// expect: lock-ordered FunctionsRepeated.SUMS[*]
// expect: not validated
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Nobody cares how often a function of an atomic variable runs. */
final class FunctionsRepeated {
  private static final AtomicInteger SUM = new AtomicInteger();
  private static final Map<Integer, Integer> SUMS = new ConcurrentSkipListMap<>(Map.of(1, 0));

  private static int update(int value) {
    return value + 1;
  }

  private static int merge(int value) {
    return value + 1;
  }

  public static void main(String[] arguments) {
    IntStream.range(0, 40)
        .parallel()
        .forEach(
            i -> {
              SUM.updateAndGet(FunctionsRepeated::update);
              SUMS.computeIfPresent(1, (key, sum) -> merge(sum));
            });
    System.out.println(SUM.get() + SUMS.get(1));
  }
}
