// expect: anomaly map WRITE-WRITE
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** A map in access order is changed by whoever asks it. */
final class AccessOrdered {

  public static void main(String[] arguments) throws Exception {
    Map<Integer, Integer> map = new LinkedHashMap<>(16, 0.75f, true);
    for (int i = 0; i < 20; i++) {
      map.put(i, i);
    }
    int[] seen = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> seen[i] = map.get(i));
  }
}
