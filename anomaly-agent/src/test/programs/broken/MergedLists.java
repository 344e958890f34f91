// expect: anomaly list WRITE-WRITE
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** The list is found by its key, and grows outside the function. */
final class MergedLists {
  private static final Map<Integer, List<Integer>> LISTS = new ConcurrentHashMap<>();

  private static List<Integer> with(List<Integer> list, int value) {
    list.add(value);
    return list;
  }

  public static void main(String[] arguments) {
    for (int key = 0; key < 3; key++) {
      LISTS.put(key, new ArrayList<>());
    }
    IntStream.range(0, 40)
        .parallel()
        .forEach(i -> with(LISTS.get(i % 3), i));
    System.out.println(LISTS.get(2).size());
  }
}
