// expect: anomaly tried[*] WRITE-READ
// expect: anomaly tried[*] WRITE-WRITE
// expect: lock-ordered counts[*]
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;

/** Functions of a sorted map for one key may run at once, other than those of a hash map. */
final class SortedCounts {
  public static void main(String[] arguments) {
    ConcurrentSkipListMap<Integer, Integer> counts = new ConcurrentSkipListMap<>();
    int[] tried = new int[1];
    IntStream.range(0, 40)
        .parallel()
        .forEach(
            i ->
                counts.compute(
                    i % 3,
                    (key, count) -> {
                      tried[0]++;
                      return count == null ? 1 : count + 1;
                    }));
    System.out.println(counts.get(0) + tried.length);
  }
}
