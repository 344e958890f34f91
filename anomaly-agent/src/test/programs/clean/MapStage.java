// expect: validated
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The number is the element's own. */
final class MapStage {

  public static void main(String[] arguments) throws Exception {
    List<String> source = List.of("a", "b", "c", "d", "e", "f");
    List<String> words =
        IntStream.range(0, 6).parallel().mapToObj(i -> source.get(i) + i).collect(Collectors.toList());
    System.out.println(words);
  }
}
