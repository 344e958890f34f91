// expect: lock-ordered seen[*]
// expect: not validated
import java.util.stream.IntStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

final class CheckThenAct {

  public static void main(String[] arguments) throws Exception {
    Map<Integer, Integer> seen = new ConcurrentHashMap<>();
    IntStream.range(0, 100).parallel().forEach(i -> {
      boolean there = seen.containsKey(3);
      seen.put(3, there ? i : -i);
    });
  }
}
