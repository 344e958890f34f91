// expect: anomaly MemoOnce.KNOWN WRITE-WRITE
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** A plain map may be changed by two. */
final class MemoOnce {
  private static final Map<Integer, Integer> KNOWN = new HashMap<>();
  private static final Map<Integer, Integer> NOTHING = new HashMap<>();

  public static void main(String[] arguments) throws Exception {
    int[] results = new int[40];
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> results[i] = KNOWN.computeIfAbsent(i % 4, key -> key * key));
    System.out.println(results[39] + NOTHING.size());
  }
}
