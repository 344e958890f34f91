// expect: anomaly part[*] WRITE-WRITE
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The same element is set through a part of the list. */
final class SetThroughView {

  public static void main(String[] arguments) throws Exception {
    List<Integer> list = new ArrayList<>(List.of(1, 2, 3, 4));
    List<Integer> part = list.subList(0, 2);
    IntStream.range(0, 20).parallel().forEach(i -> part.set(0, i));
  }
}
