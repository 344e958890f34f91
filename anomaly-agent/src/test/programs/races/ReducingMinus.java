// expect: anomaly the result of Stream.collect() NOT-ASSOCIATIVE
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A collector that subtracts: the result depends on how the stream is split. */
final class ReducingMinus {

  public static void main(String[] arguments) throws Exception {
    int rest =
        IntStream.range(0, 100).boxed().parallel().collect(Collectors.reducing(0, (a, b) -> a - b));
    System.out.println(rest);
  }
}
