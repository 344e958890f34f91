// expect: validated
import java.util.stream.IntStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

final class MapPut {

  public static void main(String[] arguments) throws Exception {
    Map<Integer, Integer> counts = new ConcurrentHashMap<>();
    IntStream.range(0, 100).parallel().forEach(i -> counts.merge(i % 10, 1, Integer::sum));
    System.out.println(counts.get(3));
  }
}
