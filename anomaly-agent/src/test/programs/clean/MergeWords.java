// expect: validated
// expect: commuting counts[*]
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Sums do. */
final class MergeWords {

  public static void main(String[] arguments) throws Exception {
    Map<String, Integer> counts = new ConcurrentHashMap<>();
    IntStream.range(0, 20).parallel().forEach(i -> counts.merge("k", i, Integer::sum));
  }
}
