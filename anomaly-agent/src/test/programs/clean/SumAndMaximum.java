// expect: validated
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Sums of one key commute. */
final class SumAndMaximum {
  private static final Map<String, Integer> RESULTS = new ConcurrentHashMap<>();

  public static void main(String[] arguments) {
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> {
          RESULTS.merge("a", i, Integer::sum);
          RESULTS.merge("b", i, Integer::max);
        });
    System.out.println(RESULTS);
  }
}
