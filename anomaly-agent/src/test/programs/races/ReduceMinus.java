// expect: anomaly the result of IntStream.reduce() NOT-ASSOCIATIVE
import java.util.stream.IntStream;

/** Subtraction is not associative: the result depends on how the stream is split. */
final class ReduceMinus {

  public static void main(String[] arguments) throws Exception {
    int rest = IntStream.range(0, 100).parallel().reduce(0, (a, b) -> a - b);
    System.out.println(rest);
  }
}
