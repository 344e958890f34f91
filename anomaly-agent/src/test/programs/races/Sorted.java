// expect: anomaly positions WRITE-WRITE
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What comes after sorted() is as parallel as what came before. */
final class Sorted {

  public static void main(String[] arguments) throws Exception {
    List<Integer> positions = new ArrayList<>(4096);
    IntStream.range(0, 200).map(i -> 200 - i).parallel().sorted().forEach(i -> positions.add(i));
  }
}
