// expect: anomaly ParallelSort.comparisons WRITE-WRITE
// expect: anomaly ParallelSort.comparisons WRITE-READ
import java.util.Arrays;

/** Small arrays are sorted by one thread, and yet a comparator must not count. */
final class ParallelSort {
  private static int comparisons;

  public static void main(String[] arguments) throws Exception {
    Integer[] numbers = new Integer[100];
    Arrays.setAll(numbers, i -> 37 * i % 100);
    Arrays.parallelSort(numbers, (a, b) -> {
      comparisons++;
      return a.compareTo(b);
    });
    System.out.println(comparisons > 0);
  }
}
