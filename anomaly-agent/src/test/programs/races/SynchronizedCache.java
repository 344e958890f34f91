// expect: lock-ordered cache
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Whoever asks changes the order of the keys, one after the other. */
final class SynchronizedCache {

  public static void main(String[] arguments) throws Exception {
    Map<Integer, Integer> cache = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true));
    for (int i = 0; i < 20; i++) {
      cache.put(i, i);
    }
    int[] seen = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> seen[i] = cache.get(i));
  }
}
