// expect: lock-ordered MergedLists.LISTS[*]
// expect: lock-ordered list
// expect: not validated
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** A list grows in the function of its key only. */
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
        .forEach(i -> LISTS.compute(i % 3, (key, list) -> with(list, i)));
    System.out.println(LISTS.get(2).size());
  }
}
