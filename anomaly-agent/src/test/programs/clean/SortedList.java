// expect: validated
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Static methods that only read the list; and a list for each element. */
final class SortedList {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
    int[] greatest = new int[10];
    IntStream.range(0, 10).parallel().forEach(i -> {
      List<Integer> own = new ArrayList<>(List.of(i, 1, 2));
      Collections.sort(own);
      greatest[i] = Collections.max(list) + Collections.frequency(list, i) + own.get(0);
    });
  }
}
