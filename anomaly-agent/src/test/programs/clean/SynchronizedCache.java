// expect: validated
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Whoever asks changes nothing. */
final class SynchronizedCache {

  public static void main(String[] arguments) throws Exception {
    Map<Integer, Integer> cache = Collections.synchronizedMap(new LinkedHashMap<>());
    for (int i = 0; i < 20; i++) {
      cache.put(i, i);
    }
    int[] seen = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> seen[i] = cache.get(i));
  }
}
