// expect: anomaly Memo.KNOWN WRITE-READ
// expect: anomaly Memo.KNOWN WRITE-WRITE
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** A plain map is none. */
final class Memo {
  private static final Map<Integer, Long> KNOWN = new HashMap<>();
  private static final Map<Integer, Long> NOTHING = new HashMap<>();

  static long square(int number) {
    Long known = KNOWN.get(number);
    if (known == null) {
      known = (long) number * number;
      KNOWN.put(number, known);
    }
    return known + NOTHING.size();
  }

  public static void main(String[] arguments) throws Exception {
    long[] results = new long[40];
    IntStream.range(0, 40).parallel().forEach(i -> results[i] = square(i % 4));
    System.out.println(results[39]);
  }
}
