// expect: anomaly list WRITE-WRITE
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** A static method changes the list that it is given. */
final class SortedList {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
    IntStream.range(0, 10).parallel().forEach(i -> Collections.swap(list, 0, i % 3));
  }
}
