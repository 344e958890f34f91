// expect: anomaly index WRITE-WRITE
// expect: anomaly index WRITE-READ
import java.util.TreeMap;
import java.util.stream.IntStream;

/** An ordered map is one variable, whatever the keys. */
final class TreeMapPut {

  public static void main(String[] arguments) throws Exception {
    TreeMap<Integer, Integer> index = new TreeMap<>();
    for (int i = 0; i < 40; i++) {
      index.put(i, 0);
    }
    IntStream.range(0, 40).parallel().forEach(i -> index.put(i, index.floorKey(i) + 1));
  }
}
