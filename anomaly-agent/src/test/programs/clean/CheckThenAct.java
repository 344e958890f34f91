// expect: validated
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** One step instead of two: whoever comes first, the map is the same. */
final class CheckThenAct {

  public static void main(String[] arguments) throws Exception {
    Map<Integer, Integer> map = new ConcurrentHashMap<>();
    IntStream.range(0, 100).parallel().forEach(i -> map.computeIfAbsent(i % 10, k -> k * k));
  }
}
