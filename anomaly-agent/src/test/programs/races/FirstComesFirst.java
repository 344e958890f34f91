// expect: lock-ordered map[*]
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Whoever comes first decides what is under the key. */
final class FirstComesFirst {

  public static void main(String[] arguments) throws Exception {
    Map<String, Integer> map = new ConcurrentHashMap<>();
    IntStream.range(0, 20).parallel().forEach(i -> map.computeIfAbsent("a", key -> i));
  }
}
