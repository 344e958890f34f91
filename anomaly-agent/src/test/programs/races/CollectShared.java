// expect: anomaly list WRITE-WRITE
// expect: anomaly list WRITE-READ
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A supplier that gives every leaf the same container. */
final class CollectShared {

  public static void main(String[] arguments) throws Exception {
    List<Integer> shared = new ArrayList<>(4096);
    IntStream.range(0, 1000).parallel().boxed().collect(() -> shared, (list, i) -> list.add(i), (one, other) -> one.size());
  }
}
