// expect: not validated Collectors.groupingByConcurrent(), which collects elements in the order in which they come
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The lists have the order in which threads came. */
final class ConcurrentGrouping {

  public static void main(String[] arguments) throws Exception {
    Map<Integer, List<Integer>> groups =
        IntStream.range(0, 200).parallel().boxed().collect(Collectors.groupingByConcurrent(i -> i % 2));
  }
}
