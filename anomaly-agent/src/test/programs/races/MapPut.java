// expect: anomaly counts WRITE-WRITE
import java.util.stream.IntStream;
import java.util.Map;
import java.util.HashMap;

final class MapPut {

  public static void main(String[] arguments) throws Exception {
    Map<Integer, Integer> counts = new HashMap<>();
    IntStream.range(0, 100).parallel().forEach(i -> counts.put(i % 10, i));
  }
}
