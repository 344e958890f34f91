// expect: validated
import java.util.Arrays;

final class ParallelSort {

  public static void main(String[] arguments) throws Exception {
    Integer[] numbers = new Integer[20_000];
    Arrays.setAll(numbers, i -> 37 * i % 20_000);
    Arrays.parallelSort(numbers, (a, b) -> b.compareTo(a));
    System.out.println(numbers[0]);
  }
}
