// expect: validated
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Numbers of elements do not depend on their order. */
final class ConcurrentGrouping {

  public static void main(String[] arguments) throws Exception {
    Map<Integer, Long> groups =
        IntStream.range(0, 200)
            .parallel()
            .boxed()
            .collect(Collectors.groupingByConcurrent(i -> i % 2, Collectors.counting()));
  }
}
