// expect: anomaly FunctionsRepeated.merges WRITE-READ
// expect: anomaly FunctionsRepeated.merges WRITE-WRITE
// expect: anomaly FunctionsRepeated.updates WRITE-READ
// expect: anomaly FunctionsRepeated.updates WRITE-WRITE
// expect: lock-ordered FunctionsRepeated.SUM
// expect: lock-ordered FunctionsRepeated.SUMS[*]
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Functions of atomic variables, and of maps that are not ConcurrentHashMap, may run at once. */
final class FunctionsRepeated {
  private static final AtomicInteger SUM = new AtomicInteger();
  private static final Map<Integer, Integer> SUMS = new ConcurrentSkipListMap<>(Map.of(1, 0));
  private static int updates;
  private static int merges;

  private static int update(int value) {
    updates++;
    return value + 1;
  }

  private static int merge(int value) {
    merges++;
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
    System.out.println(SUM.get() + SUMS.get(1) + updates + merges);
  }
}
