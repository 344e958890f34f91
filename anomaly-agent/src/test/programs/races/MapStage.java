// expect: anomaly MapStage.number WRITE-WRITE
// expect: anomaly MapStage.number WRITE-READ
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A map stage that numbers elements as they come. */
final class MapStage {
  private static int number;

  public static void main(String[] arguments) throws Exception {
    List<String> words =
        Stream.of("a", "b", "c", "d", "e", "f").parallel().map(word -> word + number++).collect(Collectors.toList());
    System.out.println(words);
  }
}
