// expect: validated
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Whoever comes first, the value follows from the key. */
final class FirstComesFirst {

  public static void main(String[] arguments) throws Exception {
    Map<String, Integer> map = new ConcurrentHashMap<>();
    IntStream.range(0, 20).parallel().forEach(i -> map.computeIfAbsent("a", key -> key.length()));
  }
}
