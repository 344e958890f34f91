// expect: anomaly SortedComparator.comparisons WRITE-WRITE
// expect: anomaly SortedComparator.comparisons WRITE-READ
import java.util.stream.IntStream;

/** A comparator that counts. */
final class SortedComparator {
  private static int comparisons;

  public static void main(String[] arguments) throws Exception {
    Object[] sorted = IntStream.range(0, 100).map(i -> 37 * i % 100).boxed().parallel().sorted((a, b) -> {
      comparisons++;
      return a.compareTo(b);
    }).toArray();
    System.out.println(sorted.length);
  }
}
