// expect: validated
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A collector that adds. */
final class ReducingMinus {

  public static void main(String[] arguments) throws Exception {
    int rest =
        IntStream.range(0, 100).boxed().parallel().collect(Collectors.reducing(0, (a, b) -> a + b));
    System.out.println(rest);
  }
}
