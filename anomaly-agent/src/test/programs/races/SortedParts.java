// expect: anomaly part[*] WRITE-WRITE
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** Parts of one list that overlap by an element. */
final class SortedParts {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>(Collections.nCopies(100, 7));
    IntStream.range(0, 9).parallel().forEach(i -> {
      List<Integer> part = list.subList(i * 10, i * 10 + 11);
      Collections.sort(part);
      part.set(0, i);
    });
  }
}
