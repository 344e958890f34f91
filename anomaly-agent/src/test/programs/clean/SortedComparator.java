// expect: validated
import java.util.stream.IntStream;

final class SortedComparator {

  public static void main(String[] arguments) throws Exception {
    Object[] sorted =
        IntStream.range(0, 100).map(i -> 37 * i % 100).boxed().parallel().sorted((a, b) -> b.compareTo(a)).toArray();
    System.out.println(sorted.length);
  }
}
