// expect: validated
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Nobody adds while the list is read. */
final class CopyOnWrite {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
    int[] seen = new int[20];
    IntStream.range(0, 20).parallel().forEach(i -> seen[i] = list.get(i % 3));
  }
}
