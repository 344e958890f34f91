// expect: anomaly CountedInFunction.calls WRITE-READ
// expect: anomaly CountedInFunction.calls WRITE-WRITE
// expect: lock-ordered CountedInFunction.SUMS[*]
// expect: lock-ordered sum[*]
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Functions of different keys do not exclude each other. */
final class CountedInFunction {
  private static final Map<Integer, int[]> SUMS = new ConcurrentHashMap<>();
  private static final Map<String, Integer> CALLS = new ConcurrentHashMap<>();
  private static int calls;

  private static int[] plus(int[] sum, int value) {
    calls++;
    sum[0] += value;
    return sum;
  }

  public static void main(String[] arguments) {
    for (int key = 0; key < 3; key++) {
      SUMS.put(key, new int[1]);
    }
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> SUMS.computeIfPresent(i % 3, (key, sum) -> plus(sum, i)));
    System.out.println(SUMS.get(2)[0] + calls);
  }
}
