// expect: validated
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A collector gives each leaf a builder of its own. */
final class SharedBuilder {

  public static void main(String[] arguments) throws Exception {
    String text = IntStream.range(0, 50).parallel().mapToObj(Integer::toString).collect(Collectors.joining(","));
    System.out.println(text);
  }
}
